// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Publishing
import Quantities
import Text

// Publishers on one broker, each with a connection, a separate thread and spool: PublishLoad
// ADDRESS FOLDER PUBLISHERS RATE SECONDS. The last line is what became of all messages.
let words = CommandLine.arguments.dropFirst()
guard words.count == 5, let publisherCount = Int(words[3]), let rate = Double(words[4]),
  let seconds = Double(words[5])
else {
  FileHandle.standardError.write(
    Data("PublishLoad ADDRESS FOLDER PUBLISHERS RATE SECONDS\n".utf8))
  exit(64)
}
let publishers = try (0..<publisherCount).map { number in
  let address = try MQTTAddress("\(words[1])/\(number)")
  func status(_ word: String) -> Message {
    Message(topic: address.topic + "/status", payload: Array(word.utf8), isRetained: true)
  }
  return try MQTTPublisher(
    address, name: "load-\(number)", login: MQTTLogin(),
    presence: MQTTPublisher.Presence(births: [status("online")], will: status("offline")),
    folder: "\(words[2])/\(number)", limit: 16_000_000)
}
for publisher in publishers { try publisher.start() }
let begin = monotonicNow()
var sent = 0
while true {
  let elapsed = (monotonicNow() - begin).seconds
  while Double(sent) < min(elapsed, seconds) * rate {
    for (number, publisher) in publishers.enumerated() {
      let value = JSON.object([
        .init("id", .text("\(number)-\(sent)")), .init("temperature", .number(20.5)),
        .init("gravity.x", .number(0.0123)), .init("gravity.y", .number(-0.0321)),
        .init("gravity.z", .number(-0.99912)),
      ])
      publisher.send(
        Message(topic: "load/\(number)/motion", payload: value.bytes))
    }
    sent += 1
  }
  guard elapsed < seconds else { break }
  usleep(5000)
}
var (made, arrived, waiting, dropped, again, connections):
  (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
  ) = (0, 0, 0, 0, 0, 0)
for publisher in publishers {
  let counts = publisher.finish(within: .seconds(30))
  made += counts.made
  arrived += counts.arrived
  waiting += counts.waiting
  dropped += counts.dropped
  again += counts.again
  connections += counts.connections
}
var usage = rusage()
// Written within the call alone.
_ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
let processor =
  Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(
    usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
print(
  "{\"made\":\(made),\"arrived\":\(arrived),\"waiting\":\(waiting),\"dropped\":\(dropped),"
    + "\"again\":\(again),\"connections\":\(connections),\"processorSeconds\":\(processor),"
    + "\"memoryKB\":\(usage.ru_maxrss)}")

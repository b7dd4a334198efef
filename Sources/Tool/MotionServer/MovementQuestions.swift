// SPDX-License-Identifier: Apache-2.0
internal import LinuxBus
internal import Service

/// The programs' queries about movement, in the server's control thread.
final class MovementQuestions {
  var service: MovementService?
  private var thread: MovementThread?
  private var isCounting = false

  /// Passes `question` to the movement thread; `news` is signalled when the answer is ready.
  func ask(
    _ question: MovementQuestion, of connection: Connection, serial: UInt32, news: WakeEvent
  ) {
    guard let service else {
      return refuse(connection, serial, "this service does not count movement")
    }
    if thread == nil { thread = try? MovementThread(service, news: news) }
    guard let thread else {
      return refuse(connection, serial, "the otolith service has no threads left")
    }
    if case .now(let counts) = question { connection.countsMovement = counts }
    connection.isAsking = true
    thread.ask(.init(member: connection.member, serial: serial, question: question))
  }

  private func refuse(_ connection: Connection, _ serial: UInt32, _ sentence: String) {
    connection.send(
      .answer(.refused(ServiceRefusal(.unavailable, sentence)), serial: serial))
  }

  /// Sends the completed answers; those for programs that have disconnected are dropped.
  func deliver(to connections: [Connection]) {
    for answered in thread?.take() ?? [] {
      guard let connection = connections.first(where: { $0.member === answered.member }) else {
        continue
      }
      connection.isAsking = false
      connection.send(.answer(answered.answer, serial: answered.serial))
    }
  }

  /// Counts movement while any program requests it.
  func count(for connections: [Connection]) {
    let isWanted = connections.contains { $0.countsMovement && !$0.isOver }
    guard isWanted != isCounting, let service else { return }
    isCounting = isWanted
    service.count(isWanted)
  }

  func end() {
    count(for: [])
    thread?.end()
    thread = nil
  }
}

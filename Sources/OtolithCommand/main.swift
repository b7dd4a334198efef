// scratch until the command lands
import Fusion
import Quantities
import Recordings

let args = CommandLine.arguments
var reader = try RecordingReader(path: args[2])
let out = args[4]
let north = args[6].contains("north")
var est = MotionEstimator(channels: reader.channels)
var buf = Array((MotionFormat.csvHeader).utf8)
if buf.last != 10 { buf.append(10) }
while let s = try reader.next() {
  guard let m = est.update(s) else { continue }
  var row = MotionRow(timestamp: m.timestamp)
  row.attitude = m.attitude(in: north ? .xMagneticNorthZVertical : .xArbitraryZVertical)
  if m.contents.contains(.attitude) {
    row.gravity = m.gravity; row.userAcceleration = m.userAcceleration
  }
  row.rotationRate = m.rotationRate
  MotionFormat.appendCSV(row, to: &buf)
}
func save(_ buf: [UInt8], _ out: String) throws {
  var w = try FileWriter(path: out); try w.write(buf); try w.commit()
}
try save(buf, out)

// SPDX-License-Identifier: Apache-2.0

/// A ROS 2 message type with its definition. Recordings contain the definition so that any program
/// can read them.
package enum ROSMessage: String, CaseIterable, Sendable {
  case time = "builtin_interfaces/Time"
  case header = "std_msgs/Header"
  case vector3 = "geometry_msgs/Vector3"
  case quaternion = "geometry_msgs/Quaternion"
  case transform = "geometry_msgs/Transform"
  case transformStamped = "geometry_msgs/TransformStamped"
  case tf = "tf2_msgs/TFMessage"
  case imu = "sensor_msgs/Imu"
  case magneticField = "sensor_msgs/MagneticField"
  case fluidPressure = "sensor_msgs/FluidPressure"
  case temperature = "sensor_msgs/Temperature"
  case relativeHumidity = "sensor_msgs/RelativeHumidity"
  case illuminance = "sensor_msgs/Illuminance"
  case range = "sensor_msgs/Range"
  case keyValue = "diagnostic_msgs/KeyValue"
  case diagnosticStatus = "diagnostic_msgs/DiagnosticStatus"
  case diagnosticArray = "diagnostic_msgs/DiagnosticArray"

  /// The name of the type, such as `sensor_msgs/msg/Imu`.
  package var typeName: String { rawValue.split(separator: "/").joined(separator: "/msg/") }

  /// The definition of the type together with the definitions of the types that it contains, in
  /// MCAP's schema encoding `ros2msg`.
  package var schema: String {
    var text = definition
    var done: Set<ROSMessage> = [self]
    var waiting = parts
    while let part = waiting.first {
      waiting.removeFirst()
      guard done.insert(part).inserted else { continue }
      if text.last != "\n" { text += "\n" }
      text += String(repeating: "=", count: 80) + "\nMSG: \(part.rawValue)\n" + part.definition
      waiting += part.parts
    }
    return text
  }

  /// The message types that this type contains.
  private var parts: [ROSMessage] {
    switch self {
    case .header: [.time]
    case .transform: [.vector3, .quaternion]
    case .transformStamped: [.header, .transform]
    case .tf: [.transformStamped]
    case .imu: [.header, .quaternion, .vector3]
    case .magneticField: [.header, .vector3]
    case .fluidPressure: [.header]
    case .temperature: [.header]
    case .relativeHumidity: [.header]
    case .illuminance: [.header]
    case .range: [.header]
    case .diagnosticStatus: [.keyValue]
    case .diagnosticArray: [.header, .diagnosticStatus]
    case .time, .vector3, .quaternion, .keyValue: []
    }
  }
}

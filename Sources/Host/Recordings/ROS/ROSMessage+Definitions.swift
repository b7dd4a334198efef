// SPDX-License-Identifier: Apache-2.0

// The definitions are from ROS 2, byte for byte: common_interfaces (c0c0bc57f958) and
// rcl_interfaces (f6b3741d921e), Apache License 2.0, and the one line of geometry2 (1b005c6556cf),
// all of github.com/ros2. Copyright Open Source Robotics Foundation.

extension ROSMessage {
  /// The text of the type's .msg file.
  package var definition: String {
    switch self {
    case .time: timeDefinition
    case .header: headerDefinition
    case .vector3: vector3Definition
    case .quaternion: quaternionDefinition
    case .transform: transformDefinition
    case .transformStamped: transformStampedDefinition
    case .tf: tfDefinition
    case .imu: imuDefinition
    case .magneticField: magneticFieldDefinition
    case .fluidPressure: fluidPressureDefinition
    case .temperature: temperatureDefinition
    case .relativeHumidity: relativeHumidityDefinition
    case .illuminance: illuminanceDefinition
    case .range: rangeDefinition
    case .keyValue: keyValueDefinition
    case .diagnosticStatus: diagnosticStatusDefinition
    case .diagnosticArray: diagnosticArrayDefinition
    }
  }
}

private let timeDefinition = #"""
  # This message communicates ROS Time defined here:
  # https://design.ros2.org/articles/clock_and_time.html

  # The seconds component, valid over all int32 values.
  int32 sec

  # The nanoseconds component, valid in the range [0, 1e9).
  uint32 nanosec

  """#

private let headerDefinition = #"""
  # Standard metadata for higher-level stamped data types.
  # This is generally used to communicate timestamped data
  # in a particular coordinate frame.

  # Two-integer timestamp that is expressed as seconds and nanoseconds.
  builtin_interfaces/Time stamp

  # Transform frame with which this data is associated.
  string frame_id

  """#

private let vector3Definition = #"""
  # This represents a vector in free space.

  # This is semantically different than a point.
  # A vector is always anchored at the origin.
  # When a transform is applied to a vector, only the rotational component is applied.

  float64 x
  float64 y
  float64 z

  """#

private let quaternionDefinition = #"""
  # This represents an orientation in free space in quaternion form.

  float64 x 0
  float64 y 0
  float64 z 0
  float64 w 1

  """#

private let transformDefinition = #"""
  # This represents the transform between two coordinate frames in free space.

  Vector3 translation
  Quaternion rotation

  """#

private let transformStampedDefinition = #"""
  # This expresses a transform from coordinate frame header.frame_id
  # to the coordinate frame child_frame_id at the time of header.stamp
  #
  # This message is mostly used by the
  # <a href="https://docs.ros.org/en/rolling/p/tf2/">tf2</a> package.
  # See its documentation for more information.
  #
  # The child_frame_id is necessary in addition to the frame_id
  # in the Header to communicate the full reference for the transform
  # in a self contained message.

  # The frame id in the header is used as the reference frame of this transform.
  std_msgs/Header header

  # The frame id of the child frame to which this transform points.
  string child_frame_id

  # Translation and rotation in 3-dimensions of child_frame_id from header.frame_id.
  Transform transform

  """#

private let tfDefinition = #"""
  geometry_msgs/TransformStamped[] transforms

  """#

private let imuDefinition = #"""
  # This is a message to hold data from an IMU (Inertial Measurement Unit)
  #
  # Accelerations should be in m/s^2 (not in g's), and rotational velocity should be in rad/sec
  #
  # If the covariance of the measurement is known, it should be filled in (if all you know is the
  # variance of each measurement, e.g. from the datasheet, just put those along the diagonal)
  # A covariance matrix of all zeros will be interpreted as "covariance unknown", and to use the
  # data a covariance will have to be assumed or gotten from some other source
  #
  # If you have no estimate for one of the data elements (e.g. your IMU doesn't produce an
  # orientation estimate), please set element 0 of the associated covariance matrix to -1
  # If you are interpreting this message, please check for a value of -1 in the first element of each
  # covariance matrix, and disregard the associated estimate.

  std_msgs/Header header

  geometry_msgs/Quaternion orientation
  float64[9] orientation_covariance # Row major about x, y, z axes

  geometry_msgs/Vector3 angular_velocity
  float64[9] angular_velocity_covariance # Row major about x, y, z axes

  geometry_msgs/Vector3 linear_acceleration
  float64[9] linear_acceleration_covariance # Row major x, y z

  """#

private let magneticFieldDefinition = #"""
  # Measurement of the Magnetic Field vector at a specific location.
  #
  # If the covariance of the measurement is known, it should be filled in.
  # If all you know is the variance of each measurement, e.g. from the datasheet,
  # just put those along the diagonal.
  # A covariance matrix of all zeros will be interpreted as "covariance unknown",
  # and to use the data a covariance will have to be assumed or gotten from some
  # other source.

  std_msgs/Header header               # timestamp is the time the
                                             # field was measured
                                             # frame_id is the location and orientation
                                             # of the field measurement

  geometry_msgs/Vector3 magnetic_field # x, y, and z components of the
                                             # field vector in Tesla
                                             # If your sensor does not output 3 axes,
                                             # put NaNs in the components not reported.

  float64[9] magnetic_field_covariance       # Row major about x, y, z axes
                                             # 0 is interpreted as variance unknown
  """#

private let fluidPressureDefinition = #"""
  # Single pressure reading.  This message is appropriate for measuring the
  # pressure inside of a fluid (air, water, etc).  This also includes
  # atmospheric or barometric pressure.
  #
  # This message is not appropriate for force/pressure contact sensors.

  std_msgs/Header header # timestamp of the measurement
                               # frame_id is the location of the pressure sensor

  float64 fluid_pressure       # Absolute pressure reading in Pascals.

  float64 variance             # 0 is interpreted as variance unknown

  """#

private let temperatureDefinition = #"""
  # Single temperature reading.

  std_msgs/Header header # timestamp is the time the temperature was measured
                               # frame_id is the location of the temperature reading

  float64 temperature          # Measurement of the Temperature in Degrees Celsius.

  float64 variance             # 0 is interpreted as variance unknown.

  """#

private let relativeHumidityDefinition = #"""
  # Single reading from a relative humidity sensor.
  # Defines the ratio of partial pressure of water vapor to the saturated vapor
  # pressure at a temperature.

  std_msgs/Header header # timestamp of the measurement
                               # frame_id is the location of the humidity sensor

  float64 relative_humidity    # Expression of the relative humidity
                               # from 0.0 to 1.0.
                               # 0.0 is no partial pressure of water vapor
                               # 1.0 represents partial pressure of saturation

  float64 variance             # 0 is interpreted as variance unknown

  """#

private let illuminanceDefinition = #"""
  # Single photometric illuminance measurement.  Light should be assumed to be
  # measured along the sensor's x-axis (the area of detection is the y-z plane).
  # The illuminance should have a 0 or positive value and be received with
  # the sensor's +X axis pointing toward the light source.
  #
  # Photometric illuminance is the measure of the human eye's sensitivity of the
  # intensity of light encountering or passing through a surface.
  #
  # All other Photometric and Radiometric measurements should not use this message.
  # This message cannot represent:
  #  - Luminous intensity (candela/light source output)
  #  - Luminance (nits/light output per area)
  #  - Irradiance (watt/area), etc.

  std_msgs/Header header # timestamp is the time the illuminance was measured
                               # frame_id is the location and direction of the reading

  float64 illuminance          # Measurement of the Photometric Illuminance in Lux.

  float64 variance             # 0 is interpreted as variance unknown

  """#

private let rangeDefinition = #"""
  # Single range reading from an active ranger that emits energy and reports
  # one range reading that is valid along an arc at the distance measured.
  # This message is  not appropriate for laser scanners. See the LaserScan
  # message if you are working with a laser scanner.
  #
  # This message also can represent a fixed-distance (binary) ranger.  This
  # sensor will have min_range===max_range===distance of detection.
  # These sensors follow REP 117 and will output -Inf if the object is detected
  # and +Inf if the object is outside of the detection range.

  std_msgs/Header header # timestamp in the header is the time the ranger
                               # returned the distance reading

  # Radiation type enums
  # If you want a value added to this list, send an email to the ros-users list
  uint8 ULTRASOUND=0
  uint8 INFRARED=1

  uint8 radiation_type    # the type of radiation used by the sensor
                          # (sound, IR, etc) [enum]

  float32 field_of_view   # the size of the arc that the distance reading is
                          # valid for [rad]
                          # the object causing the range reading may have
                          # been anywhere within -field_of_view/2 and
                          # field_of_view/2 at the measured range.
                          # 0 angle corresponds to the x-axis of the sensor.

  float32 min_range       # minimum range value [m]
  float32 max_range       # maximum range value [m]
                          # Fixed distance rangers require min_range==max_range

  float32 range           # range data [m]
                          # (Note: values < range_min or > range_max should be discarded)
                          # Fixed distance rangers only output -Inf or +Inf.
                          # -Inf represents a detection within fixed distance.
                          # (Detection too close to the sensor to quantify)
                          # +Inf represents no detection within the fixed distance.
                          # (Object out of range)

  float32 variance        # variance of the range sensor
                          # 0 is interpreted as variance unknown

  """#

private let keyValueDefinition = #"""
  # What to label this value when viewing.
  string key
  # A value to track over time.
  string value

  """#

private let diagnosticStatusDefinition = #"""
  # This message holds the status of an individual component of the robot.

  # Possible levels of operations.
  byte OK=0
  byte WARN=1
  byte ERROR=2
  byte STALE=3

  # Level of operation enumerated above.
  byte level
  # A description of the test/component reporting.
  string name
  # A description of the status.
  string message
  # A hardware unique string.
  string hardware_id
  # An array of values associated with the status.
  KeyValue[] values


  """#

private let diagnosticArrayDefinition = #"""
  # This message is used to send diagnostic information about the state of the robot.
  std_msgs/Header header # for timestamp
  DiagnosticStatus[] status # an array of components being reported on

  """#

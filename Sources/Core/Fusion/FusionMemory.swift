// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The part of an engine's state that a program stores for the next run. All values are in device
/// axes, for samples to which the chips' calibration has been applied.
public struct FusionMemory: Equatable, Sendable {
  /// The learned bias of the gyroscope.
  public struct Gyroscope: Equatable, Sendable {
    /// The bias in rad/s. Subtract it from a measured rotation rate.
    public var bias: Vector3
    /// Standard deviation of the bias in its least known axis, rad/s.
    public var sigma: Scalar
    /// The temperature in degrees Celsius when the bias was learned; `nil` if the chip reports
    /// none.
    public var temperature: Scalar?

    public init(bias: Vector3, sigma: Scalar, temperature: Scalar? = nil) {
      self.bias = bias
      self.sigma = sigma
      self.temperature = temperature
    }
  }

  /// The learned calibration of the magnetometer, and the learned local field.
  public struct Magnetometer: Equatable, Sendable {
    /// The device's own field, microtesla. Subtract it from a measured field.
    public var hardIron: Vector3
    /// The matrix that corrects the distortion by soft iron, applied after subtracting the hard
    /// iron.
    public var softIron: Matrix3
    /// Standard deviation of the hard iron in its least known axis, microtesla.
    public var sigma: Scalar
    /// The strength of the local field, microtesla; 0 if it was not learned.
    public var fieldNorm: Scalar
    /// The dip of the local field, radians below the horizon.
    public var fieldDip: Scalar

    public init(
      hardIron: Vector3, softIron: Matrix3 = .identity, sigma: Scalar, fieldNorm: Scalar = 0,
      fieldDip: Scalar = 0
    ) {
      self.hardIron = hardIron
      self.softIron = softIron
      self.sigma = sigma
      self.fieldNorm = fieldNorm
      self.fieldDip = fieldDip
    }
  }

  /// The learned scale and axis alignment of the gyroscope.
  public struct GyroscopeMatrix: Equatable, Sendable {
    /// The matrix that corrects a rotation rate after subtracting the bias.
    public var matrix: Matrix3
    /// Standard deviation of each element of the matrix.
    public var sigma: Matrix3

    public init(matrix: Matrix3, sigma: Matrix3) {
      self.matrix = matrix
      self.sigma = sigma
    }
  }

  /// The learned calibration of the accelerometer. The true specific force is `scale (specific
  /// force - offset)`, axis by axis.
  public struct Accelerometer: Equatable, Sendable {
    /// The offset in g.
    public var offset: Vector3
    /// Standard deviation of each component of `offset`, g.
    public var offsetSigma: Vector3
    public var scale: Vector3
    /// Standard deviation of each component of `scale`.
    public var scaleSigma: Vector3

    public init(offset: Vector3, offsetSigma: Vector3, scale: Vector3, scaleSigma: Vector3) {
      self.offset = offset
      self.offsetSigma = offsetSigma
      self.scale = scale
      self.scaleSigma = scaleSigma
    }
  }

  /// The learned delay of the magnetometer.
  public struct MagneticDelay: Equatable, Sendable {
    /// The delay from a motion to the time stamp of the magnetometer sample that shows the motion,
    /// s.
    public var delay: Scalar
    /// Standard deviation of the delay, s.
    public var sigma: Scalar

    public init(delay: Scalar, sigma: Scalar) {
      self.delay = delay
      self.sigma = sigma
    }
  }

  public var gyroscope: Gyroscope?
  public var magnetometer: Magnetometer?
  public var gyroscopeMatrix: GyroscopeMatrix?
  public var accelerometer: Accelerometer?
  public var magneticDelay: MagneticDelay?

  public init(
    gyroscope: Gyroscope? = nil, magnetometer: Magnetometer? = nil,
    gyroscopeMatrix: GyroscopeMatrix? = nil, accelerometer: Accelerometer? = nil,
    magneticDelay: MagneticDelay? = nil
  ) {
    self.gyroscope = gyroscope
    self.magnetometer = magnetometer
    self.gyroscopeMatrix = gyroscopeMatrix
    self.accelerometer = accelerometer
    self.magneticDelay = magneticDelay
  }

  /// True if nothing has been learned.
  public var isEmpty: Bool {
    gyroscope == nil && magnetometer == nil && gyroscopeMatrix == nil && accelerometer == nil
      && magneticDelay == nil
  }

  /// Returns the memory after `seconds` without observations, that is, with larger uncertainties. A
  /// negative or infinite age counts as unknown; a month is then assumed.
  ///
  /// The bias of a gyroscope depends on the temperature, with 0.02 to 0.05 degrees/s per kelvin in
  /// common parts. A chip that was switched off cools down, or is carried elsewhere, within an
  /// hour; 5 K are assumed, which change the bias by 0.15 degrees/s. In addition the bias ages by
  /// 0.02 degrees/s times the square root of the days (data sheets give no figure; months change
  /// the bias by tenths of a degree/s). Hard iron changes if parts are mounted nearby or strong
  /// magnets come close; 0.5 microtesla times the square root of the days are assumed. The scale of
  /// a gyroscope also depends on the temperature, by up to 0.04 % per kelvin (MPU-6000 product
  /// specification, 6.1: 2 % from -40 to 85 degrees); 0.1 % are assumed for 5 K, and as much again
  /// each month. The offset of an accelerometer changes by at most 1 mg per kelvin (BMI160 data
  /// sheet, table 2); 2 mg are assumed, and as much again each month. Its scale changes by 0.1 %.
  /// The delay of a magnetometer depends on its sampling rate, which may be different in the next
  /// run; 3 ms are assumed at any age.
  public func aged(by seconds: Scalar) -> FusionMemory {
    let age = seconds >= 0 && seconds.isFinite ? seconds : 30 * secondsPerDay
    let days = age / secondsPerDay
    var memory = self
    if var gyro = gyroscope {
      let warmth = 0.15 * degree * (1 - exp(-age / 3600))
      let ageing = 0.02 * degree
      gyro.sigma = sqrt(gyro.sigma * gyro.sigma + warmth * warmth + ageing * ageing * days)
      memory.gyroscope = gyro
    }
    if var magnet = magnetometer {
      magnet.sigma = sqrt(magnet.sigma * magnet.sigma + 0.25 * days)
      memory.magnetometer = magnet
    }
    let cooled = 1 - exp(-age / 3600) + days / 30
    func grown(_ sigmas: Vector3, by step: Scalar) -> Vector3 {
      let variance = step * step * cooled
      return Vector3(
        sqrt(sigmas.x * sigmas.x + variance), sqrt(sigmas.y * sigmas.y + variance),
        sqrt(sigmas.z * sigmas.z + variance))
    }
    if let kept = gyroscopeMatrix?.sigma {
      memory.gyroscopeMatrix?.sigma = Matrix3(
        rows: grown(kept.row1, by: 0.001), grown(kept.row2, by: 0.001),
        grown(kept.row3, by: 0.001))
    }
    if let kept = accelerometer {
      memory.accelerometer?.offsetSigma = grown(kept.offsetSigma, by: 0.002)
      memory.accelerometer?.scaleSigma = grown(kept.scaleSigma, by: 0.001)
    }
    if let kept = magneticDelay?.sigma {
      memory.magneticDelay?.sigma = sqrt(kept * kept + 0.003 * 0.003)
    }
    return memory
  }

  /// The memory without invalid values: values that are not finite or too large for any chip. A
  /// file may contain such values.
  public var plausible: FusionMemory {
    var memory = self
    if let gyro = gyroscope,
      !(gyro.bias.norm <= 30 * degree && gyro.sigma >= 0 && gyro.sigma.isFinite)
    {
      memory.gyroscope = nil
    }
    if let magnet = magnetometer {
      let determinant = magnet.softIron.determinant
      if !(magnet.hardIron.norm <= 5000 && magnet.sigma >= 0 && magnet.sigma.isFinite
        && determinant > 0.1 && determinant < 10 && magnet.fieldNorm >= 0
        && magnet.fieldNorm < 1000 && magnet.fieldDip.isFinite)
      {
        memory.magnetometer = nil
      }
    }
    func isSigma(_ v: Vector3) -> Bool { v.x >= 0 && v.y >= 0 && v.z >= 0 && v.isFinite }
    if let kept = gyroscopeMatrix {
      let (m, s) = (kept.matrix, kept.sigma)
      let isNear =
        (m.row1 - Vector3(1, 0, 0)).norm < 0.3 && (m.row2 - Vector3(0, 1, 0)).norm < 0.3
        && (m.row3 - Vector3(0, 0, 1)).norm < 0.3
      if !(isNear && isSigma(s.row1)
        && isSigma(s.row2) && isSigma(s.row3))
      {
        memory.gyroscopeMatrix = nil
      }
    }
    if let kept = accelerometer,
      !(kept.offset.norm < 0.5 && (kept.scale - Vector3(1, 1, 1)).norm < 0.3
        && isSigma(kept.offsetSigma) && isSigma(kept.scaleSigma))
    {
      memory.accelerometer = nil
    }
    if let kept = magneticDelay,
      !(kept.delay >= 0 && kept.delay <= DelayEstimator.longest(.standard) && kept.sigma >= 0
        && kept.sigma.isFinite)
    {
      memory.magneticDelay = nil
    }
    return memory
  }
}

private let secondsPerDay = 86_400.0

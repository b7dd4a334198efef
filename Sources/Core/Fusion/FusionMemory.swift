// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The part of an engine's state to store for the next run. In device axes, after the chips'
/// calibration.
public struct FusionMemory: Equatable, Sendable {
  /// The knowledge of the gyroscope.
  public struct Gyroscope: Equatable, Sendable {
    /// The bias in rad/s: subtract it from a measured rotation rate.
    public var bias: Vector3
    /// One standard deviation of the bias in its least known axis, rad/s.
    public var sigma: Scalar
    /// The temperature in degrees Celsius when the bias was learned; `nil` if the chip gave none.
    public var temperature: Scalar?

    public init(bias: Vector3, sigma: Scalar, temperature: Scalar? = nil) {
      self.bias = bias
      self.sigma = sigma
      self.temperature = temperature
    }
  }

  /// The knowledge of the magnetometer, and of the surrounding field.
  public struct Magnetometer: Equatable, Sendable {
    /// The device's own field, microtesla: subtract it from a measured field.
    public var hardIron: Vector3
    /// The matrix that undoes the distortion by soft iron, after the subtraction of the hard iron.
    public var softIron: Matrix3
    /// One standard deviation of the hard iron in its least known axis, microtesla.
    public var sigma: Scalar
    /// The strength of the place's field, microtesla; 0 if none was learned.
    public var fieldNorm: Scalar
    /// The dip of the place's field, radians below the horizon.
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

  /// The knowledge of the gyroscope's scale and axes.
  public struct GyroscopeMatrix: Equatable, Sendable {
    /// The matrix that corrects a rotation rate after the bias is subtracted.
    public var matrix: Matrix3
    /// One standard deviation of each term of the matrix.
    public var sigma: Matrix3

    public init(matrix: Matrix3, sigma: Matrix3) {
      self.matrix = matrix
      self.sigma = sigma
    }
  }

  /// The knowledge of the accelerometer: the truth is `scale (specific force - offset)`, axis by
  /// axis.
  public struct Accelerometer: Equatable, Sendable {
    /// The offset in g.
    public var offset: Vector3
    /// One standard deviation of each component of `offset`, g.
    public var offsetSigma: Vector3
    public var scale: Vector3
    /// One standard deviation of each component of `scale`.
    public var scaleSigma: Vector3

    public init(offset: Vector3, offsetSigma: Vector3, scale: Vector3, scaleSigma: Vector3) {
      self.offset = offset
      self.offsetSigma = offsetSigma
      self.scale = scale
      self.scaleSigma = scaleSigma
    }
  }

  /// The knowledge of the magnetometer's delay.
  public struct MagneticDelay: Equatable, Sendable {
    /// The delay from a motion to the time stamp of the magnetic field that shows it, s.
    public var delay: Scalar
    /// One standard deviation of the delay, s.
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

  /// True if it is empty.
  public var isEmpty: Bool {
    gyroscope == nil && magnetometer == nil && gyroscopeMatrix == nil && accelerometer == nil
      && magneticDelay == nil
  }

  /// Returns the memory after `seconds` without observations, with larger uncertainties. A negative
  /// or infinite age is unknown and counts as a month.
  ///
  /// A gyroscope's bias follows the temperature, 0.02 to 0.05 degrees/s a kelvin in common parts,
  /// and a chip that was switched off has cooled down or been carried elsewhere within the hour: 5
  /// K, 0.15 degrees/s. Beyond that it ages by 0.02 degrees/s times the square root of the days
  /// (data sheets give no figure; months change it by tenths). Hard iron changes with parts mounted
  /// nearby and with strong magnets: 0.5 microtesla times the square root of the days. A
  /// gyroscope's scale follows the temperature too, by up to 0.04 % a kelvin (MPU-6000 product
  /// specification, 6.1: 2 % from -40 to 85 degrees): 0.1 % for 5 K, and as much a month; an
  /// accelerometer's offset by 1 mg a kelvin at most (BMI160 data sheet, table 2): 2 mg and as much
  /// a month, its scale by 0.1 %. A magnetometer's delay is its rate's, which the next run may set
  /// otherwise: 3 ms at any age.
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

  /// The memory without invalid values, that is not finite or too large for any chip: a file may
  /// contain them.
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

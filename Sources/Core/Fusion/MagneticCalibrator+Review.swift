// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension MagneticCalibrator {
  /// Decides whether the challenging filter replaces the filter in use, is discarded, or needs more
  /// time.
  mutating func decide() -> MagneticCalibration.Change? {
    guard let challenge else { return nil }
    if challenge.normalizedInnovation > params.significance * params.innovationLimit {
      // The field changed, or kept changing, after the challenging filter started.
      self.challenge = nil
      return nil
    }
    guard challenge.age >= params.challengeTime else { return nil }
    let explains = challenge.error * params.innovationLimit < challenge.missed
    if explains, challenge.steady >= params.challengeTime / 2,
      FieldReference.isPlausible(challenge.filter.field.norm)
    {
      let isSame = agrees(challenge.filter)
      self.challenge = nil
      normalizedInnovation = 1
      if isSame {
        // Both filters agree on the hard iron, so the local field has changed, not the device.
        main.takeField(from: challenge.filter)
        return nil
      }
      main = challenge.filter
      base = calibration.hardIron
      baseVariance = .infinity
      isBaseWrong = true
      coverage = DirectionCoverage()
      ellipsoid = EllipsoidFit(origin: inverseSoftIron * main.hardIron)
      let before = calibration.hardIron
      publish()
      return .replaced(calibration.hardIron - before)
    }
    // The challenging filter started during the disturbance, so discard it. The next challenging
    // filter starts with the current field measurements.
    if challenge.age >= 2 * params.challengeTime {
      if !explains {
        // The challenging filter does not explain this place better than the calibration in use.
        main.takeField(from: challenge.filter)
        normalizedInnovation = 1
      }
      self.challenge = nil
    }
    return nil
  }

  private func agrees(_ other: FieldFilter) -> Bool {
    var sum = main.inflatedCovariance(params)
    sum.add(other.inflatedCovariance(params))
    let axes = SymmetricEigen(sum)
    let off = other.hardIron - main.hardIron
    func agrees(_ axis: Vector3, _ variance: Scalar) -> Bool {
      let along = off.dot(axis)
      return along * along < params.significance * params.significance * variance + 1
    }
    return agrees(axes.axis1, axes.value1) && agrees(axes.axis2, axes.value2)
      && agrees(axes.axis3, axes.value3)
  }

  /// Publishes the current estimates of hard and soft iron if they differ enough from the published
  /// values.
  mutating func review() -> MagneticCalibration.Change {
    guard FieldReference.isPlausible(main.field.norm) else { return .none }
    let before = calibration.hardIron
    reviewShape()
    publish()
    let moved = calibration.hardIron - before
    return moved.dot(moved) > 0 ? .refined(moved) : .none
  }

  private mutating func publish() {
    let inflated = main.inflatedCovariance(params)
    let axes = SymmetricEigen(inflated)
    let off = main.hardIron - softIronTimes(base)
    // In a direction in which the difference may be chance, the hard iron stays at `base`. A
    // significant difference is applied in full, because otherwise the uncertainty of a large hard
    // iron would hold it back. Once `base` is clearly wrong in one direction, it has little weight
    // in the other directions too.
    func isClear(_ axis: Vector3, _ variance: Scalar) -> Bool {
      fabs(off.dot(axis)) > params.significance * root(variance)
    }
    let isWrong =
      isBaseWrong || isClear(axes.axis1, axes.value1) || isClear(axes.axis2, axes.value2)
      || isClear(axes.axis3, axes.value3)
    let threshold = isWrong ? 1 : params.significance
    func share(_ axis: Vector3, _ variance: Scalar) -> Vector3 {
      let along = off.dot(axis)
      let excess = fabs(along) / root(variance) - threshold
      return excess > 0 ? axis * (along * (excess < 1 ? excess : 1)) : .zero
    }
    let iron =
      softIronTimes(base) + share(axes.axis1, axes.value1) + share(axes.axis2, axes.value2)
      + share(axes.axis3, axes.value3)
    // Field measurements in only a few directions do not invalidate the earlier calibration.
    func known(_ variance: Scalar) -> Scalar {
      isWrong || baseVariance == .infinity
        ? variance : variance * baseVariance / (variance + baseVariance)
    }
    covariance =
      isWrong || baseVariance == .infinity
      ? inflated
      : Covariance(axes.matrix(known(axes.value1), known(axes.value2), known(axes.value3)))
    let sigma = root(known(axes.largest))
    let next = inverseSoftIron * iron
    let moved = next - calibration.hardIron
    // Do not publish changes that are too small to matter.
    if moved.norm > params.publishStep { calibration.hardIron = next }
    calibration.sigma = sigma
    calibration.fieldNorm = main.field.norm
    calibration.dip = dip(main.field)
    calibration.coverage = coverage.share
    if sigma > params.fieldUnevenness {
      calibration.level = .unknown
    } else if calibration.level == .unknown {
      calibration.level = .hardIron
    }
  }

  private func root(_ variance: Scalar) -> Scalar { sqrt(variance > 1e-6 ? variance : 1e-6) }

  private func softIronTimes(_ v: Vector3) -> Vector3 { calibration.softIron * v }

  private func dip(_ field: Vector3) -> Scalar {
    -atan2(field.z, sqrt(field.x * field.x + field.y * field.y))
  }

  private mutating func reviewShape() {
    ellipsoid.forget(exp(-Scalar(sinceReview / params.shapeTime)))
    guard calibration.level > .unknown,
      let shape = ellipsoid.shape(
        correlation: params.correlation, noise: params.fieldNoise, prior: params.softIronSigma)
    else { return }
    let deviation = sqrt(shape.sigma * shape.sigma + params.shapeFloor * params.shapeFloor)
    guard deviation < params.significance * params.shapeFloor else { return }
    let axes = shape.axes
    let bent = Vector3(axes.value1 - 1, axes.value2 - 1, axes.value3 - 1)
    let excess = bent.norm / deviation - params.significance
    let share = excess > 0 ? (excess < 1 ? excess : 1) : 0
    calibration.level = .full
    // The square root of A transforms the ellipsoid to a sphere of arbitrary size. The scale gives
    // the soft iron matrix the determinant one.
    func root(_ value: Scalar) -> Scalar { sqrt(1 + share * (value - 1)) }
    let (r1, r2, r3) = (root(axes.value1), root(axes.value2), root(axes.value3))
    let scale = exp(-log(r1 * r2 * r3) / 3)
    let next = axes.matrix(r1 * scale, r2 * scale, r3 * scale)
    let change = distance(next, calibration.softIron)
    guard change * main.field.norm > params.publishStep else { return }
    main.transform(next * inverseSoftIron, sigma: change * main.field.norm)
    calibration.softIron = next
    inverseSoftIron = axes.matrix(1 / (r1 * scale), 1 / (r2 * scale), 1 / (r3 * scale))
  }

  private func distance(_ a: Matrix3, _ b: Matrix3) -> Scalar {
    let first = Vector3(a.m11 - b.m11, a.m12 - b.m12, a.m13 - b.m13)
    let second = Vector3(a.m21 - b.m21, a.m22 - b.m22, a.m23 - b.m23)
    let third = Vector3(a.m31 - b.m31, a.m32 - b.m32, a.m33 - b.m33)
    return sqrt(first.dot(first) + second.dot(second) + third.dot(third))
  }
}

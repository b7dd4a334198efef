// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Registers
internal import Quantities

// The settings of the embedded functions, as numbers for the model. Both register maps have the
// same addresses but different bits.
extension LSM6DS3Model {
  var mayDetect: Bool {
    registers[map.ctrl10C.address] & 0x04 != 0
      || registers[map.tapCfg.address] | registers[map.wakeUpThs.address]
        | registers[map.freeFall.address] | registers[map.md1Cfg.address]
        | registers[map.md2Cfg.address] != 0
  }

  func functionSettings(fullScale: Double) -> FunctionSettings {
    let isNewer = family == .lsm6ds3trc
    let tapCfg = registers[map.tapCfg.address]
    let control = registers[map.ctrl10C.address]
    var settings = FunctionSettings()
    // Only the newer generation of parts has one bit that enables all basic functions.
    settings.detectsBasics = !isNewer || tapCfg & 0x80 != 0
    if tapCfg & 0x01 != 0 {
      // A detection source is latched if it is routed to a pin (AN5130, pages 35 and 36).
      settings.latchedBasics = registers[map.md1Cfg.address] | registers[map.md2Cfg.address]
      settings.latchedSteps = registers[map.int1Ctrl.address] & 0xC0
    }
    fillThresholds(&settings, fullScale: fullScale)
    let wake = registers[map.wakeUpThs.address]
    settings.takeSleep(registers, isWatched: isNewer ? tapCfg & 0x60 != 0 : wake & 0x40 != 0)
    if control & 0x04 != 0 {
      settings.countsSteps = (isNewer ? control & 0x10 : tapCfg & 0x40) != 0
      settings.detectsTilt = (isNewer ? control & 0x08 : tapCfg & 0x20) != 0
      settings.detectsSignificantMotion = control & 0x01 != 0
    }
    return settings
  }

  private func fillThresholds(_ settings: inout FunctionSettings, fullScale: Double) {
    settings.takeBasics(
      registers, tapAxes: registers[map.tapCfg.address],
      tapThreshold: registers[map.tapThs6d.address], wakeUnit: fullScale / 64,
      tapUnit: fullScale / 32)
    settings.rate = accelRate
    // The pedometer's minimum threshold is in units of 16 mg, or 32 mg with the pedometer's wider
    // range. The chip's real threshold is higher and adapts to the walk. The model uses 0.1 g, less
    // than half of a slow step's peak.
    let pedometer = embedded[0x0F]
    let least = Double(pedometer & 0x1F) * (pedometer & 0x80 != 0 ? 0.032 : 0.016)
    settings.stepThreshold = max(least, 0.1)
    settings.debounceSteps = Int(embedded[0x14] & 0x07)
    settings.debounceTime = Int(
      saturating: (Double(embedded[0x14] >> 3) * 0.08 * accelRate).rounded(.towardZero))
    settings.significantSteps = Int(embedded[0x13])
  }
}

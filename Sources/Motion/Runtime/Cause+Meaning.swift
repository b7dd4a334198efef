// SPDX-License-Identifier: Apache-2.0

extension Cause {
  /// The explanation and the remedies of the cause, the most promising remedy first, for reports
  /// and for docs/bring-up.md.
  package var meaning: (explanation: String, steps: [String]) {
    switch self {
    case .busMissing:
      (
        "the kernel shows no such bus: it is not switched on, or has another number",
        [
          Self.switchingOnI2C, Self.switchingOnSPI,
          "see what there is: otolith buses",
        ]
      )
    case .permission:
      (
        "this user may not open the device node",
        ["join the node's group and log in again: sudo usermod -aG GROUP $USER"]
      )
    case .taken:
      (
        "something else has the device: a driver of the kernel, the otolith service or another program",
        ["find the owner: otolith buses", "stop the other one, or unbind the kernel's driver"]
      )
    case .stuckBus:
      (
        "SDA or SCL is held low: nothing can be sent on the bus",
        [
          "look for SDA or SCL shorted to ground, and for pull-ups that are missing (measure both lines idle: 3.3 V)",
          "unplug modules one by one until the bus answers",
          "switch the power off and on: a chip that was interrupted in the middle of a transfer may hold SDA",
        ]
      )
    case .silentBus:
      (
        "no chip on the bus answers: the modules have no power, or the lines do not reach them",
        [
          "measure the supply at the module, and check its ground",
          "check whether SDA and SCL are swapped (SDA is pin 3 of a Raspberry Pi's header, SCL pin 5)",
          "check that it is this bus: otolith buses, otolith scan",
        ]
      )
    case .wrongAddress:
      (
        "the chip answers at an address that differs from the board file's",
        ["write the address that answers into the board file, or set the strap the other way"]
      )
    case .noAnswer:
      (
        "the chip does not answer although its bus works",
        [
          "check its supply, ground and solder joints",
          "check that it is on this bus: otolith scan",
          "check pins that choose the interface (CS high for I2C) or hold it in reset",
        ]
      )
    case .wrongChip:
      (
        "another part answers than the board file names",
        [
          "write the part that was found into the board file's 'chip:'",
          "if it is a clone of the part, add 'treat-as:' to the board file",
        ]
      )
    case .unsupportedChip:
      (
        "the part is known, and otolith has no driver for it",
        ["see docs/adding-a-chip.md for writing one"]
      )
    case .noFirmware:
      (
        "the chip needs its manufacturer's firmware after each reset, which otolith may not contain",
        [
          "save the firmware under its name in /lib/firmware: docs/reference/chips/bmi270.md says how",
          "name the file by 'firmware:' in the board file",
        ]
      )
    case .selfTest:
      (
        "the chip's own test is outside its maker's limits: it was moved, or is damaged",
        [
          "keep the board still and test again",
          "for a magnetometer, move it away from steel, magnets and currents",
          "if it fails at rest every time, replace the module",
        ]
      )
    case .deadInterrupt:
      (
        "the chip samples, and no edge of its interrupt line arrives",
        [
          "check the wire from the chip's INT pin to the line that the board file names",
          "look for the edges on other lines: otolith interrupt --chip NAME --search-lines",
          "until then, read without the line: 'read-by: polling' or 'read-by: fifo', and no 'interrupt:'",
        ]
      )
    case .interruptPin:
      (
        "the edges arrive on a line that differs from the board file's",
        ["write the pin or line that works into the board file's 'interrupt:', or move the wire"]
      )
    case .interruptPolarity:
      (
        "the line's polarity is inverted between the chip and this machine",
        ["write the other 'edge:' into the board file's 'interrupt:', or take the inverter out"]
      )
    case .interruptRate:
      (
        "the line has another number of edges than the chip has samples",
        [
          "too many: a floating or ringing line; shorten the wire, check its ground, add a pull-down",
          "too few: a line that is shared with another chip, or a host too busy to see each edge",
          "until then, read without the line: 'read-by: fifo'",
        ]
      )
    case .queueOverflow:
      (
        "the chip's FIFO overflowed: it was read too late or too slowly",
        [
          "shorten 'batch-interval-ms' or lower 'rate-hz'",
          "use a faster bus (400 kHz I2C, or SPI)",
          "find out what delays the reads on this machine",
        ]
      )
    case .queueAlignment:
      (
        "frames from the FIFO are shifted: some bytes were lost or read twice",
        [
          "check the bus first: otolith bus-errors",
          "lower the bus clock, then try 'read-by: data-ready'",
        ]
      )
    case .unreliableBus:
      (
        "the bus loses or changes transfers now and then",
        [
          "shorten the wires: 20 cm at 400 kHz is much",
          "lower the clock: dtparam=i2c_arm_baudrate=100000, or 'speed-hz' on SPI",
          "check the pull-ups: 2.2 to 4.7 kilohm on SDA and SCL in all; several modules in parallel may have too little",
          "keep motor and switching supplies away from the wires, and run a ground wire next to "
            + "each signal",
        ]
      )
    case .brownOut:
      (
        "the chip lost its configuration: its supply failed for a moment",
        [
          "check the module's supply under load: thin wires, loose connectors, a regulator at its "
            + "limit",
          "put 10 microfarad and 100 nanofarad at the module",
          "feed motors and servos from another supply",
        ]
      )
    case .noisySupply:
      (
        "it is far noisier than the part is: its supply is noisy, or it vibrates",
        ["put it on something soft and still, and test again", "filter the module's supply"]
      )
    case .invalidReadings:
      (
        "the chip answers, and its registers hold codes that it never measures: it sleeps, is damaged, or "
          + "transfers are corrupted",
        [
          "all bits 0 or 1: check its supply, wiring and chip select",
          "other codes: count errors of the bus with otolith bus-errors, and shorten the wires",
          "if it stays so, replace the module",
        ]
      )
    case .noSamples:
      (
        "its samples stopped, while those of other chips go on",
        [
          "check its supply and wiring", "count errors of its bus: otolith bus-errors",
          "look for the edges of its interrupt: otolith interrupt --chip NAME",
        ]
      )
    case .lateSamples:
      (
        "its samples come more rarely or later than they should: edges of its interrupt are missed, or "
          + "the bus or this machine is too busy",
        [
          "look for the edges of its interrupt: otolith interrupt --chip NAME",
          "lower 'rate-hz', or use a faster bus (400 kHz I2C, or SPI)",
          "find out what delays the reads on this machine",
        ]
      )
    case .stuckReadings:
      (
        "the value repeats to the last bit for longer than the part's noise allows: the sensor has stopped",
        [
          "switch its supply off and on", "check that no other program configures the chip",
          "if it stays so, replace the module",
        ]
      )
    case .outOfRange:
      (
        "what is there is more than the chip's range holds, and what is beyond is lost",
        [
          "for a magnetometer, move it away from magnets, steel, motors and wires with current",
          "set a wider range in the board file: 'acceleration-range-g', 'rotation-rate-range-dps', 'magnetic-field-range-ut'",
          "if it remains at rest and away from magnets, the sensor is magnetised or damaged: "
            + "replace the module",
        ]
      )
    case .disagreement:
      (
        "its values differ from those of other chips by more than the errors of the parts explain",
        [
          "check that it is fastened, and how it is mounted: otolith calibrate alignment",
          "keep it away from heat, and a magnetometer from motors, steel and wires with current",
          "if it stays so, replace the module",
        ]
      )
    case .deadAxis:
      (
        "an axis never changes: it is broken, or its register is not read",
        ["test again: otolith selftest", "replace the module"]
      )
    case .swappedAxes:
      (
        "the chip's orientation differs from the board file's",
        ["find its mounting: otolith calibrate mounting"]
      )
    case .moving: ("the board moves", ["keep it still and test again"])
    }
  }
}

extension Cause {
  /// The instructions that enable the buses.
  package static var switchingOnI2C: String {
    "switch I2C on: sudo raspi-config nonint do_i2c 0 (or dtparam=i2c_arm=on in /boot/firmware/config.txt)"
  }
  package static var switchingOnSPI: String {
    "switch SPI on: sudo raspi-config nonint do_spi 0 (or dtparam=spi=on)"
  }
}

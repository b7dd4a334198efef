// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem

extension OpenError: CustomStringConvertible {
  /// The error in one line for users: what failed, the likely cause and what to do.
  public var description: String {
    switch cause {
    case .missing: "\(subject) does not exist: \(stepForMissing)"
    case .noPermission(let group): "no permission to open \(subject): \(stepForPermission(group))"
    case .busy(let driver): "\(subject) is in use by \(driver ?? someone): \(stepForBusy)"
    case .notThatKindOfDevice: "\(subject) is no \(kind.name): check the path\(list(kind.nodes))"
    case .unsupported where kind == .kernelSensor:
      "\(subject) cannot be checked: its registers belong to the kernel's driver; to let otolith "
        + "drive the chip itself, name it by 'chip' and its bus by 'on' in the board file"
    case .unsupported:
      "\(subject) does not support the request (errno \(errno)): \(stepForUnsupported)"
    case .other where !present.isEmpty:
      "\(subject) is not unique: \(listOrNone); choose by chip label and offset"
    case .other where errno == tooManyOpenError || errno == tooManyOpenInSystemError:
      "cannot open \(subject): too many files are open; \(ResourceError.stepForTooMany(errno))"
    case .other: "cannot open \(subject): \(kind.name), errno \(errno)"
    }
  }

  private var subject: String {
    switch (kind, address) {
    case (_, .some(let address)): "address 0x\(hexadecimal(address)) on \(path)"
    case (.gpioChip, nil) where !path.hasPrefix("/"): "GPIO chip \"\(path)\""
    case (.gpioLine, nil): "GPIO line \"\(path)\""
    default: path
    }
  }

  private var someone: String { kind == .i2c ? "a kernel driver" : "another program" }

  private var stepForMissing: String {
    switch kind {
    case .i2c:
      "enable I2C (sudo raspi-config nonint do_i2c 0, or dtparam=i2c_arm=on in "
        + "/boot/firmware/config.txt; elsewhere: sudo modprobe i2c-dev); "
        + "buses present: \(listOrNone)"
    case .spi where device?.driver != nil:
      "\(device?.name ?? "") has its driver; in a container, pass the node in (--device \(path))"
    case .spi where device != nil:
      "no driver has \(device?.name ?? ""); give it to spidev: sudo modprobe spidev; \(spidevTakesIt)"
    case .spi:
      "enable SPI (sudo raspi-config nonint do_spi 0, or dtparam=spi=on in "
        + "/boot/firmware/config.txt); SPI devices present: \(listOrNone)"
    case .gpioChip: "chips present: \(listOrNone)"
    case .gpioLine:
      present.isEmpty
        ? "no line has a name like it; list them with gpioinfo" : "similar: \(listOrNone)"
    case .kernelSensor: "otolith detect lists the kernel's sensors; present: \(listOrNone)"
    case .lock: "errno \(errno)"
    }
  }

  private func stepForPermission(_ group: String) -> String {
    switch kind {
    case .lock: "errno \(errno)"
    case .i2c, .spi, .gpioChip, .gpioLine, .kernelSensor:
      // open(2) fails with EPERM if a rule, not the node's mode, forbids it. In practice that rule
      // is the device list of a container.
      if errno == notPermittedError {
        "a rule forbids it although the node exists; in a container, pass the device in "
          + "(--device \(path))"
      } else if isRootsAlone {
        "only root can access it; add a udev rule that gives it to group \(group) "
          + "(GROUP=\"\(group)\", MODE=\"0660\") and your user to that group"
      } else {
        "your user is not in group \(group); run: sudo usermod -aG \(group) $USER, "
          + "then log in again"
      }
    }
  }

  private var stepForBusy: String {
    switch kind {
    case .i2c:
      "free it with: \(unbind("i2c")); permanently: remove the driver's overlay from \(bootFile)"
    case .spi where device != nil:
      "give it to spidev: \(unbind("spi")); sudo modprobe spidev; \(spidevTakesIt); permanently: "
        + "remove the driver's overlay from \(bootFile)"
    case .gpioLine: "stop that program, or wire the sensor's interrupt to another line"
    case .lock where isHeldByService:
      "the service has the sensor, and programs get its motion from there (otolith run without "
        + "--board); to use the sensor directly, stop the service: sudo systemctl stop "
        + "otolith.socket otolith.service, or end its process"
    case .lock: "only one process can own a sensor; stop the other one, or wait for its end"
    case .kernelSensor:
      "the kernel lets one program read it; stop that program, such as iio-sensor-proxy (sudo "
        + "systemctl mask --now iio-sensor-proxy)"
    case .spi, .gpioChip: "stop what uses it"
    }
  }

  /// True if the process that uses the sensor is the service, which shares the sensor with all
  /// programs.
  private var isHeldByService: Bool {
    if case .busy(.some(let holder)) = cause { holder.hasPrefix(serviceName) } else { false }
  }

  private var bootFile: String { "/boot/firmware/config.txt" }

  /// Returns the command that unbinds the device from its kernel driver.
  private func unbind(_ bus: String) -> String {
    guard let device, let driver = device.driver else {
      return "sudo tee /sys/bus/\(bus)/drivers/DRIVER/unbind"
    }
    return "echo \(device.name) | sudo tee /sys/bus/\(bus)/drivers/\(driver)/unbind"
  }

  /// The commands that bind a chip select to spidev. The commands set driver_override, because no
  /// device matches the name spidev (kernel Documentation/spi/spidev).
  private var spidevTakesIt: String {
    let name = device?.name ?? ""
    return "echo spidev | sudo tee /sys/bus/spi/devices/\(name)/driver_override; "
      + "echo \(name) | sudo tee /sys/bus/spi/drivers/spidev/bind"
  }

  private var stepForUnsupported: String {
    switch kind {
    case .spi: "check mode, clock and bits per word"
    case .gpioLine: "check the offset; bias needs Linux 5.5, and not every chip can detect edges"
    case .i2c: "an address has 7 bits, 0x03 to 0x77"
    case .gpioChip, .kernelSensor, .lock: "check the settings"
    }
  }

  private var listOrNone: String { present.isEmpty ? "none" : present.joined(separator: ", ") }

  private func list(_ nodes: [String]) -> String {
    nodes.isEmpty ? "" : "; present: \(nodes.joined(separator: ", "))"
  }
}

/// Returns two hexadecimal digits.
internal func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Fusion
internal import Sensors

/// The formats of board and calibration files, as data.
public enum BoardFormat {
  /// All sections of keys. The first is the top level of a board file.
  public static let sections: [BoardSection] = [
    board, bus, chip, interrupt, detection, location, pedometer, wiring, module, simulation, noise,
    simulatedErrors, fault, senses,
    calibration, chipCalibration,
  ]

  static let board = BoardSection(
    name: "board", title: "a board", summary: "The top level of a board file.",
    keys: [
      BoardKey(
        "otolith-board", .version(1), required: true, noun: "1",
        "The version of this format.", example: "1", alsoCalled: ["version", "otolith"]),
      BoardKey(
        "name", .text, required: true, noun: "a name in words", "The board's name, for people.",
        example: "GY-521 on a Raspberry Pi", alsoCalled: ["title"]),
      BoardKey(
        "description", .lines, noun: "text", "Anything worth knowing about it.",
        example: "An MPU-6050 on the I2C pins of the header", alsoCalled: ["summary", "comment"]),
      BoardKey(
        "buses", .entries("bus"), noun: "a group of named buses",
        "The buses that chips are wired to, by names of your choice.",
        fallback: "none, if the kernel reads all sensors",
        example: "{ i2c1: { i2c: /dev/i2c-1 } }", alsoCalled: ["bus"]),
      BoardKey(
        "chips", .entries("chip"), required: true, noun: "a group of named chips",
        "The chips, by names of your choice.",
        example: "{ imu: { chip: \"invensense,mpu6050\", on: i2c1, address: 0x68 } }",
        alsoCalled: ["chip", "sensors", "devices"]),
      BoardKey(
        "location", .section("location"), noun: "a group of keys",
        "Where the board is used. Only true north and absolute altitude need it.",
        example: "{ latitude-deg: 47.38, longitude-deg: 8.54 }", isPrivate: true),
      BoardKey(
        "calibration", .text, noun: "the path of a calibration file",
        "A calibration file, relative to the board file. A file named here has to be there.",
        fallback: "`calibration/` and the board file's name, where there is such a file",
        example: "calibration/gy521.yaml", isPrivate: true),
      BoardKey(
        "learned", .text, noun: "the path of a file, or off",
        "Where biases and fields that were learned while running are kept for the next run, "
          + "relative to the board file and in its folder or the one for state; `off`: nowhere.",
        fallback:
          "`otolith/learned/` in the user's folder for state; `off` where a bus is simulated",
        example: "learned.yaml", alsoCalled: ["memory", "state"], isPrivate: true),
      BoardKey(
        "record-history", .flag, noun: "true or false",
        "Whether `otolith service` keeps the sensors running while no program does, counts steps, floors and activities, and "
          + "records acceleration, 50 samples a second, for three days.",
        fallback: "false", example: "true", alsoCalled: ["history", "record"], isPrivate: true),
      BoardKey(
        "moves", .choice(Carrier.allCases.map(\.name)), noun: "what moves the board",
        "What moves the board decides how fusion tells a change of speed from a tilt: a hand keeps to its place, wheels and "
          + "aircraft gather speed for long, and nothing rests that floats.",
        fallback: "hand", example: "wheels", alsoCalled: ["carrier", "vehicle"]),
      BoardKey(
        "pedometer", .section("pedometer"), noun: "a group of keys",
        "The person who carries the board, and the counting and storage of steps.",
        example: "{ height-m: 1.82 }", alsoCalled: ["steps", "bearer"], isPrivate: true),
      BoardKey(
        "wiring", .section("wiring"), noun: "a group of keys",
        "Which pin of which module goes to which pin of the computer's header.",
        example:
          "{ modules: { gy521: { chips: [imu], pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3 } } } }",
        alsoCalled: ["wires", "connections"]),
      BoardKey(
        "simulation", .section("simulation"), noun: "a group of keys",
        "The simulated world and its faults.", fallback: "sway",
        example: "{ motion: sway, seed: 1 }"),
    ])

  static let bus = BoardSection(
    name: "bus", title: "a bus", summary: "An entry of `buses`. An SPI bus is one chip select.",
    keys: [
      BoardKey(
        "i2c", .text, noun: "the path of an I2C adapter, such as /dev/i2c-1",
        "The device node of an I2C adapter.", example: "/dev/i2c-1"),
      BoardKey(
        "spi", .text, noun: "the path of an SPI chip select, such as /dev/spidev0.0",
        "The device node of an SPI chip select.", example: "/dev/spidev0.0"),
      BoardKey(
        "mode", .integer(0...3), noun: "an SPI mode",
        "Clock polarity and phase. SPI only.", fallback: "3", example: "3"),
      BoardKey(
        "speed-hz", .integer(1_000...50_000_000), noun: "a clock in Hz",
        "The SPI clock, or that of a simulated bus. (The speed of a real I2C bus is set at boot.)",
        fallback: "1000000; 400000 on a simulated I2C bus", example: "1000000",
        alsoCalled: ["frequency", "clock", "spi-max-frequency"]),
      BoardKey(
        "simulated", .choice(["i2c", "spi"]), noun: "a kind of bus",
        "No hardware: models of the chips answer, driven by `simulation`.", example: "i2c"),
      BoardKey(
        "select", .integer(0...255), noun: "the number of a chip select",
        "By which `otolith simulate` reaches a simulated SPI bus.",
        fallback: "counted from 0 in the order of the file", example: "0",
        alsoCalled: ["chip-select", "cs"]),
    ],
    alternatives: [["i2c"], ["spi"], ["simulated"]])

  static let chip = BoardSection(
    name: "chip", title: "a chip", summary: "An entry of `chips`.",
    keys: [
      BoardKey(
        "chip", .name, noun: "the name of a chip",
        "The manufacturer and part, as in device trees, or the part alone: `mpu6050`.",
        example: "invensense,mpu6050", alsoCalled: ["compatible", "type", "part", "driver"]),
      BoardKey(
        "iio", .text, noun: "the name of a sensor of the kernel",
        "In place of a chip on a bus: a sensor that a driver of the kernel reads, by its name, its label or its place in sysfs. "
          + "'otolith detect' lists them.",
        example: "bmi160", alsoCalled: ["kernel", "kernel-sensor", "hid"]),
      BoardKey(
        "on", .name, noun: "the name of a bus",
        "The bus that it is wired to, one of `buses`.", example: "i2c1",
        alsoCalled: ["bus", "wired-to"]),
      BoardKey(
        "address", .address, noun: "a 7-bit address",
        "The I2C address that its straps select. I2C only, and needed there.", example: "0x68",
        alsoCalled: ["reg", "addr", "i2c-address"]),
      BoardKey(
        "interrupt", .choiceOrSection(["simulated"], "interrupt"),
        noun: "{ line: NAME } or { chip: LABEL, offset: NUMBER }",
        "The line of its data-ready interrupt; `simulated` on a simulated bus.",
        fallback: "none is wired", example: "{ line: GPIO4 }",
        alsoCalled: ["int", "irq", "interrupts", "gpio"]),
      BoardKey(
        "treat-as", .name, noun: "the name of a chip",
        "For a clone whose identity is unknown: the chip of the same family whose registers and scales it has. Otherwise its "
          + "identity decides.",
        fallback: "its identity decides", example: "invensense,mpu6050",
        alsoCalled: ["force", "force-part", "assume"]),
      BoardKey(
        "behind", .name, noun: "the name of a chip of this board",
        "The chip on whose auxiliary bus it sits. That one then connects the two buses, and this one is reached at its own "
          + "address on the main bus.",
        example: "imu", alsoCalled: ["auxiliary", "aux", "through"]),
      BoardKey(
        "firmware", .text, noun: "the path of a file",
        "The manufacturer's firmware for a chip that needs one (BMI270), relative to the board file.",
        fallback:
          "the file of the kernel's name for it in `/lib/firmware`, `/usr/lib/firmware` or `/etc/firmware`",
        example: "bmi270-init-data.fw", alsoCalled: ["init-data", "config-file", "blob"]),
      BoardKey(
        "magnetometer", .flag, noun: "true or false",
        "Whether the magnetometer inside the chip (MPU-9250, ICM-20948) is sampled too: the chip reads it with its own samples, "
          + "and gives it in its own axes.",
        fallback: "false", example: "true", alsoCalled: ["compass", "nine-axes", "mag"]),
      BoardKey(
        "power", .choice(["normal", "low"]), noun: "a power mode",
        "`low` takes the least current that still gives samples: of an accelerometer and gyroscope the accelerometer alone.",
        fallback: "normal", example: "low", alsoCalled: ["power-mode"]),
      BoardKey(
        "detection", .section("detection"), noun: "a group of keys",
        "The detections that run in the chip.", fallback: "nothing",
        example: "{ kinds: [motion], motion-threshold-g: 0.1 }",
        alsoCalled: ["detect", "detections", "events"]),
      BoardKey(
        "rate-hz", .number(0.1...8000), noun: "a number of samples per second",
        "The sample rate. The chip uses its lowest rate that is not below it.",
        fallback: "100, or the chip's fastest below that", example: "200",
        alsoCalled: ["odr", "frequency", "sample-rate", "sampling-rate-hz", "rate-khz"]),
      BoardKey(
        "acceleration-range-g", .number(0.1...1000), noun: "a full scale in g",
        "The largest acceleration on either side of zero.", fallback: "4", example: "4",
        alsoCalled: ["accelerometer-range-g", "accel-range-g", "acceleration-range"]),
      BoardKey(
        "rotation-rate-range-dps", .number(1...100_000), noun: "a full scale in degrees per second",
        "The fastest rotation on either side of zero.", fallback: "500", example: "500",
        alsoCalled: [
          "gyro-range-dps", "gyroscope-range-dps", "gyro-range", "rotation-rate-range",
          "rotation-range-dps",
        ]),
      BoardKey(
        "magnetic-field-range-ut", .number(1...100_000), noun: "a full scale in microtesla",
        "The strongest field on either side of zero; 1 gauss is 100 microtesla.",
        fallback: "400", example: "400",
        alsoCalled: ["magnetometer-range-ut", "mag-range-ut", "magnetic-range-ut"]),
      BoardKey(
        "illuminance-range-lx", .number(1...200_000), noun: "a full scale in lux",
        "The brightest light.", fallback: "6500", example: "6553.5",
        alsoCalled: ["light-range-lx", "illuminance-range", "lux-range"]),
      BoardKey(
        "bandwidth-hz", .number(0.1...8000), noun: "a frequency in Hz",
        "The highest frequency wanted in the samples: the chip's filter.",
        fallback: "just under half the rate", example: "90",
        alsoCalled: ["filter-hz", "dlpf", "low-pass-hz", "cutoff-hz"]),
      BoardKey(
        "read-by", .choice(["data-ready", "fifo", "polling", "detections"]),
        noun: "a way of reading",
        "How samples are fetched: one for each edge of the interrupt, in bursts from the chip's "
          + "FIFO, or by polling; or no samples at all, only what the chip detects.",
        fallback: "`data-ready` where an interrupt is wired, else `fifo`, else `polling`",
        example: "fifo", alsoCalled: ["acquisition", "reading", "read"]),
      BoardKey(
        "late-samples", .choice(["kept", "lost"]), noun: "what becomes of late samples",
        "Read by `data-ready`: whether samples wait in the chip's FIFO for a late read, or each replaces the "
          + "one before it. To keep them costs up to 120 microseconds of a bus at 400 kHz a sample.",
        fallback: "`kept`, where the chip has a FIFO", example: "lost",
        alsoCalled: ["late", "keep-late-samples"]),
      BoardKey(
        "batch-interval-ms", .number(1...1000), noun: "a time in milliseconds",
        "The time for which samples may wait in the chip's FIFO.", fallback: "10", example: "10",
        alsoCalled: ["batch", "latency-ms", "interval-ms"]),
      BoardKey(
        "gyro-delay-ms", .number(-50...200), noun: "a time in milliseconds",
        "The delay of the gyroscope's samples.",
        fallback: "what its driver knows of the filter", example: "4.8",
        alsoCalled: ["gyroscope-delay-ms", "rotation-rate-delay-ms", "gyro-delay"]),
      BoardKey(
        "acceleration-delay-ms", .number(-50...200), noun: "a time in milliseconds",
        "The delay of the accelerometer's samples.",
        fallback: "what its driver knows of the filter",
        example: "4.9", alsoCalled: ["accelerometer-delay-ms", "acceleration-delay"]),
      BoardKey(
        "magnetic-delay-ms", .number(-50...200), noun: "a time in milliseconds",
        "The delay of the magnetometer's samples.",
        fallback: "what its driver knows of its averaging",
        example: "3.2",
        alsoCalled: ["magnetometer-delay-ms", "magnetic-field-delay-ms", "magnetic-delay"]),
      BoardKey(
        "mounting", .mounting,
        noun: "three chip axes such as [\"-y\", x, z], or three rows of three numbers",
        "Which chip axis points along the device's x, y and z; or the matrix, row by row, that "
          + "takes chip axes to device axes.",
        fallback: "[x, y, z]; that of a sensor of the kernel as the kernel or udev knows it",
        example: "[\"-y\", x, z]",
        alsoCalled: ["mount-matrix", "orientation", "axes"]),
    ] + combining,
    alternatives: [["chip", "on"], ["iio"]])

  static let interrupt = BoardSection(
    name: "interrupt", title: "an interrupt",
    summary: "The line by its name, or by the label of its GPIO chip and an offset.",
    keys: [
      BoardKey(
        "line", .text, noun: "the name of a line, such as GPIO4",
        "The line's name, as `gpioinfo` prints it; `simulated` on a simulated bus.",
        example: "GPIO4", alsoCalled: ["name", "pin"]),
      BoardKey(
        "chip", .text, noun: "the label of a GPIO chip, such as pinctrl-bcm2711",
        "The GPIO chip's label, as `gpiodetect` prints it in brackets; never gpiochipN.",
        example: "pinctrl-bcm2711", alsoCalled: ["label", "controller"]),
      BoardKey(
        "offset", .integer(0...1023), noun: "a line number", "The line's number on that chip.",
        example: "4", alsoCalled: ["number"]),
      BoardKey(
        "edge", .choice(["rising", "falling"]), noun: "an edge", "Which change counts.",
        fallback: "rising", example: "rising"),
      BoardKey(
        "pin", .integer(1...2), noun: "1 or 2",
        "Which of the chip's interrupt pins is wired.", fallback: "1", example: "1"),
      BoardKey(
        "drive", .choice(["push-pull", "open-drain"]), noun: "a way to drive a line",
        "Whether the chip drives the line both ways or only pulls it low.",
        fallback: "push-pull", example: "open-drain"),
    ],
    alternatives: [["line"], ["chip", "offset"]])

  static let location = BoardSection(
    name: "location", title: "a location",
    summary:
      "Where the board is used: the position, from which the World Magnetic Model knows north, or the declination itself, or "
      + "the air pressure, from which a barometer knows the altitude, or several of them.",
    keys: [
      BoardKey(
        "latitude-deg", .number(GeodeticPosition.latitudes), noun: "an angle in degrees",
        "Degrees north of the equator; south is negative.", needs: ["longitude-deg"],
        example: "47.38", alsoCalled: ["latitude", "lat"]),
      BoardKey(
        "longitude-deg", .number(GeodeticPosition.longitudes), noun: "an angle in degrees",
        "Degrees east of Greenwich; west is negative.", needs: ["latitude-deg"], example: "8.54",
        alsoCalled: ["longitude", "lon", "lng", "long"]),
      BoardKey(
        "height-m", .number(GeodeticPosition.heights), noun: "a height in metres",
        "Above the sea. Absolute altitude begins there, where there is no `sea-level-pressure-hpa`. (A compass takes it for "
          + "the height above the ellipsoid of WGS 84 and does not feel the difference.)",
        fallback: "0", needs: ["latitude-deg", "longitude-deg"], example: "408",
        alsoCalled: ["height", "altitude", "altitude-m", "elevation"]),
      BoardKey(
        "declination-deg", .number(-180...180), noun: "an angle in degrees",
        "The angle from true to magnetic north, positive eastwards. Overrides the model's value "
          + "for the position.",
        example: "3.2", alsoCalled: ["declination", "magnetic-declination-deg"]),
      BoardKey(
        "sea-level-pressure-hpa", .number(850...1100), noun: "a pressure in hPa",
        "The air pressure of the place, reduced to sea level, as weather services and airfields (QNH) give it: 1 hPa too much "
          + "is 8 m too high. It changes with the weather; a program can set it while running.",
        example: "1013.2",
        alsoCalled: [
          "sea-level-pressure", "qnh", "qnh-hpa", "sea-level-pressure-kpa", "pressure-hpa",
        ]),
    ],
    alternatives: [
      ["latitude-deg", "longitude-deg"], ["declination-deg"], ["sea-level-pressure-hpa"],
    ], mayCombine: true)

  /// The motion that each step of a calibration or check requests.
  static let asAsked = "as-asked"
  static let motions = MovingWorld.Motion.allCases.map(\.rawValue) + [asAsked]

  static let simulation = BoardSection(
    name: "simulation", title: "a simulation",
    summary: "Only where at least one bus is `simulated`.",
    keys: [
      BoardKey(
        "motion", .choiceOrPath(motions, extension: "csv"), noun: "a motion",
        "How the board moves, or a recording (relative to the board file) that it follows. `positions`: laid on each face and "
          + "edge; `tumble`: turned over and over; `gestures`: flat, upright, flat, right edge down; `handling`: turned to "
          + "and fro about all axes; `as-asked`: what each step of a calibration asks for.",
        fallback: "sway", example: "sway", alsoCalled: ["profile", "recording"]),
      BoardKey(
        "seed", .integer(0...2_147_483_647), noun: "a number",
        "Two runs of one seed are the same.", fallback: "1", example: "1"),
      BoardKey(
        "noise", .flagOrSection("noise"), noun: "true, false or the keys of a noise",
        "Whether the chips add noise as data sheets state it, or what noise.", fallback: "true",
        example: "true"),
      BoardKey(
        "clock-error-ppm", .number(-50_000...50_000), noun: "parts per million",
        "The error of the chips' clocks; positive if fast.", fallback: "0", example: "0",
        alsoCalled: ["clock-error", "drift-ppm"]),
      BoardKey(
        "errors", .entries("simulated-errors"), noun: "a group of chips",
        "The errors of the chips by name, to be found by a calibration.", fallback: "nothing",
        example: "{ imu: { acceleration-offset-g: [0.05, 0, -0.02] } }",
        alsoCalled: ["error", "imperfections"]),
      BoardKey(
        "faults", .items("fault"), noun: "a list of faults",
        "The faults to inject.", fallback: "nothing",
        example: "[{ fault: nack, probability: 0.01 }]", alsoCalled: ["fault"]),
      BoardKey(
        "senses", .section("senses"), noun: "a group of keys",
        "The quantities sampled without a chip.", fallback: "nothing",
        example: "{ illuminance-hz: 10 }", alsoCalled: ["sense"]),
    ])

  static let detection = BoardSection(
    name: "detection", title: "a detection",
    summary:
      "A detection in the chip, and its thresholds. The chip uses its nearest values.",
    keys: [
      BoardKey(
        "kinds", .choices(DetectionKind.allCases.map(\.boardName)), required: true,
        noun: "a list of kinds", "The kind of detection.", example: "[step, single-tap]",
        alsoCalled: ["kind"]),
      BoardKey(
        "motion-threshold-g", .number(0.001...16), noun: "an acceleration in g",
        "The change of acceleration that counts as motion.", fallback: "0.1", example: "0.1"),
      BoardKey(
        "motion-duration-ms", .number(0...60_000), noun: "a time in milliseconds",
        "The minimum duration of motion.", fallback: "0", example: "50"),
      BoardKey(
        "still-duration-s", .number(0.1...600), noun: "a time in seconds",
        "The minimum duration without motion.", fallback: "5", example: "5"),
      BoardKey(
        "tap-threshold-g", .number(0.01...16), noun: "an acceleration in g",
        "The jerk that counts as a tap.", fallback: "1", example: "1"),
      BoardKey(
        "free-fall-threshold-g", .number(0.01...2), noun: "an acceleration in g",
        "All axes below it are free fall.", fallback: "0.312", example: "0.312"),
      BoardKey(
        "free-fall-duration-ms", .number(0...10_000), noun: "a time in milliseconds",
        "The minimum duration.", fallback: "50", example: "50"),
    ])

  static let fault = BoardSection(
    name: "fault", title: "a fault",
    summary:
      "An entry of `faults`. Of `probability`, `every-s` and `at-s` at most one; without any it holds all the time. "
      + FaultKind.allCases.map { "`\($0.rawValue)`: \($0.summary)" }.joined(separator: "; ") + ".",
    keys: [
      BoardKey(
        "fault", .choice(FaultKind.allCases.map(\.rawValue)), required: true,
        noun: "a kind of fault", "The kind of fault.", example: "nack",
        alsoCalled: ["kind", "type"]),
      BoardKey(
        "chip", .name, noun: "the name of a chip of this board", "The chip that it befalls.",
        fallback: "every chip that it can befall", example: "imu"),
      BoardKey(
        "on", .name, noun: "the name of a bus", "The bus whose chips it befalls.",
        fallback: "any", example: "i2c", alsoCalled: ["bus"]),
      BoardKey(
        "probability", .number(0...1), noun: "a probability",
        "The probability per transaction or, for interrupts, per edge.",
        example: "0.01", alsoCalled: ["rate", "chance"]),
      BoardKey(
        "every-s", .number(0.001...100_000), noun: "a time in seconds",
        "It happens again and again, so far apart.", example: "5",
        alsoCalled: ["every", "period-s"]),
      BoardKey(
        "at-s", .number(0...100_000), noun: "a time in seconds",
        "It happens once, so long after the begin.", example: "3", alsoCalled: ["at"]),
      BoardKey(
        "for-s", .number(0...100_000), noun: "a time in seconds",
        "The duration of each occurrence.",
        fallback:
          "a single transaction or edge; a brown-out 0.02, a stuck bus or line 0.5, all others for ever",
        example: "0.5", alsoCalled: ["for", "duration-s"]),
      BoardKey(
        "identity", .integer(0...255), noun: "a byte", "The identity that `wrong-chip` returns.",
        fallback: "0x55", example: "0x70", alsoCalled: ["id"]),
    ])
}

// SPDX-License-Identifier: Apache-2.0
public import LinuxBus
public import LinuxSystem
public import Quantities
public import Registers

#if Host || History || Tool
  public import Boards
  public import Recordings
#endif

extension OpenError {
  fileprivate var isDenied: Bool { if case .noPermission = cause { true } else { false } }
}

/// The reason why a board cannot be run.
public enum SessionError: Error, Sendable, CustomStringConvertible {
  /// No board is named, and none was found. A program gets simulated motion only if the program or
  /// its environment requests this. Each `OpenError` is about a bus that could not be searched.
  case noBoard([OpenError])
  /// A bus cannot be opened.
  case open(OpenError)
  /// A thread or a descriptor cannot be created.
  case resource(ResourceError)
  /// The bus can be opened, but one of the chip's resources cannot: its address, chip select or
  /// interrupt line.
  case reach(chip: String, OpenError)
  /// The source lacks the requested sensors.
  case missing(ChannelSet, source: String)
  /// The source has no chip with the requested name.
  case noChip(String, source: String)
  /// True north is requested, but the source's location is unknown.
  case placeUnknown(source: String)
  /// A chip does not support the settings in the board file.
  case setting(chip: String, ChipError)
  /// The service does not provide its board, or is not running.
  case service(ServiceFailure)
  #if Host || History || Tool
    /// The board file is invalid.
    case board(BoardErrors)
    /// The recording that provides the motion of a simulated board cannot be read.
    case recording(RecordingError)
  #endif

  /// Returns the error for a device node at `path` that belongs to the group `group`. For scripted
  /// tests.
  public static func denied(_ path: String = "/dev/i2c-1", group: String = "i2c") -> SessionError {
    // 13 is EACCES (errno(3)).
    .open(OpenError(.i2c, path, errno: 13, cause: .noPermission(group: group)))
  }

  /// Returns the error for a device at `path` that `owner` uses; this is another process or a
  /// kernel driver. For scripted tests.
  public static func taken(_ path: String = "/dev/i2c-1", by owner: String) -> SessionError {
    // 16 is EBUSY (errno(3)).
    .open(OpenError(.i2c, path, errno: 16, cause: .busy(driver: owner)))
  }

  /// True if the error is a missing permission.
  public var isDenied: Bool {
    switch self {
    case .noBoard(let unopened): unopened.contains(where: \.isDenied)
    case .open(let error), .reach(_, let error): error.isDenied
    case .service(let failure): failure.kind == .denied
    case .resource, .setting, .missing, .noChip, .placeUnknown: false
    #if Host || History || Tool
      case .board, .recording: false
    #endif
    }
  }

  /// True if another process or a kernel driver uses the board.
  public var isTaken: Bool {
    switch self {
    case .open(let error), .reach(_, let error):
      if case .busy = error.cause { true } else { false }
    case .service(let failure): failure.kind == .taken
    case .noBoard, .resource, .setting, .missing, .noChip, .placeUnknown: false
    #if Host || History || Tool
      case .board, .recording: false
    #endif
    }
  }

  /// The error and its remedy, as a message for users.
  public var description: String {
    switch self {
    case .noBoard(let unopened):
      "no board: \(Self.search)" + unopened.map { "; \($0.description)" }.joined()
    case .open(let error): error.description
    case .resource(let error): error.description
    case .reach(let chip, let error): "\(chip): \(error.description)"
    case .missing(let channels, let source):
      "\(source) has no \(Self.sensors(of: channels)): add one to the board file, or choose another board"
    case .noChip(let name, let source):
      "\(source) has no chip called '\(name)': use the name of a chip in its board file"
    case .placeUnknown(let source):
      "\(source) has no location: give 'latitude-deg' and 'longitude-deg', or 'declination-deg', in the board file"
    case .service(let failure): failure.description
    case .setting(let chip, _):
      "chip '\(chip)' does not support this rate, range or read mode; otolith boards check shows "
        + "what it can"
    #if Host || History || Tool
      case .board(let errors): errors.description
      case .recording(let error): error.description
    #endif
    }
  }

  /// The text that no board was found, with the next thing to do.
  private static var search: String {
    #if Host || History || Tool
      "$OTOLITH_BOARD names none, there is no /etc/otolith/board.yaml, and no chip that is known "
        + "answers here (otolith detect); OTOLITH_BOARD=simulated simulates one"
    #else
      "no otolith service answers here (otolith service, or otolith service --board simulated); "
        + "a program built with the trait Host opens boards by itself"
    #endif
  }

  /// Returns the names of the sensors for `channels`.
  private static func sensors(of channels: ChannelSet) -> String {
    Channel.allCases.filter { channels.contains($0) }.map { "\($0.row.sensor)" }
      .joined(separator: " and no ")
  }
}

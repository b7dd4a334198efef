// SPDX-License-Identifier: Apache-2.0
public import LinuxBus
public import Quantities
public import Registers

#if Host || History || Tool
  public import Boards
  public import Recordings
#endif

extension OpenError {
  /// True where a permission is missing.
  fileprivate var isDenied: Bool { if case .noPermission = cause { true } else { false } }
}

/// The reason why a board could not be run.
public enum SessionError: Error, Sendable, CustomStringConvertible {
  /// Nothing says which board it is, and none is found: a program gets no motion that is made up
  /// unless it, or its environment, asks for that. With the buses that could not be looked at.
  case noBoard([OpenError])
  /// A bus cannot be opened.
  case open(OpenError)
  /// The bus can, but not what one of its chips needs: its address, its chip select, its interrupt
  /// line.
  case reach(chip: String, OpenError)
  /// The source has no sensor for what was asked of it.
  case missing(ChannelSet, source: String)
  /// True north is asked for, and the place of the source is not known.
  case placeUnknown(source: String)
  /// A chip cannot be set as the board file asks.
  case setting(chip: String, ChipError)
  /// The service that owns the board does not give it, or is not there.
  case service(ServiceFailure)
  #if Host || History || Tool
    /// The board file is wrong.
    case board(BoardErrors)
    /// The recording that is to move a simulated board cannot be read.
    case recording(RecordingError)
  #endif

  /// The error where the device node at `path` belongs to `group`, for scripts.
  public static func denied(_ path: String = "/dev/i2c-1", group: String = "i2c") -> SessionError {
    // EACCES, of errno(3).
    .open(OpenError(.i2c, path, errno: 13, cause: .noPermission(group: group)))
  }

  /// The error where `owner`, another process or a kernel driver, has the device at `path`, for
  /// scripts.
  public static func taken(_ path: String = "/dev/i2c-1", by owner: String) -> SessionError {
    // EBUSY, of errno(3).
    .open(OpenError(.i2c, path, errno: 16, cause: .busy(driver: owner)))
  }

  /// True where a permission is missing.
  public var isDenied: Bool {
    switch self {
    case .noBoard(let unopened): unopened.contains(where: \.isDenied)
    case .open(let error), .reach(_, let error): error.isDenied
    case .service(let failure): failure.kind == .denied
    case .setting, .missing, .placeUnknown: false
    #if Host || History || Tool
      case .board, .recording: false
    #endif
    }
  }

  /// True where it works but is in use: by another process, or a driver of the kernel.
  public var isTaken: Bool {
    switch self {
    case .open(let error), .reach(_, let error):
      if case .busy = error.cause { true } else { false }
    case .service(let failure): failure.kind == .taken
    case .noBoard, .setting, .missing, .placeUnknown: false
    #if Host || History || Tool
      case .board, .recording: false
    #endif
    }
  }

  /// The fault and its remedy, for people.
  public var description: String {
    switch self {
    case .noBoard(let unopened):
      "no board: \(Self.search)" + unopened.map { "; \($0.description)" }.joined()
    case .open(let error): error.description
    case .reach(let chip, let error): "\(chip): \(error.description)"
    case .missing(let channels, let source):
      "\(source) has no \(Self.sensors(of: channels)): add one to the board file, or choose another board"
    case .placeUnknown(let source):
      "\(source) has no location: give 'latitude-deg' and 'longitude-deg', or 'declination-deg', in the board file"
    case .service(let failure): failure.description
    case .setting(let chip, _):
      "chip '\(chip)' cannot sample that fast, that wide or that way; otolith boards check shows what it can"
    #if Host || History || Tool
      case .board(let errors): errors.description
      case .recording(let error): error.description
    #endif
    }
  }

  /// The result of the search for a board, and what to do.
  private static var search: String {
    #if Host || History || Tool
      "$OTOLITH_BOARD names none, there is no /etc/otolith/board.yaml, and no chip that is known "
        + "answers here (otolith detect); OTOLITH_BOARD=simulated makes the motion up"
    #else
      "no otolith service answers here (otolith service, or otolith service --board simulated); "
        + "a program built with the trait Host opens boards by itself"
    #endif
  }

  /// The sensors that sample `channels`.
  private static func sensors(of channels: ChannelSet) -> String {
    Channel.allCases.filter { channels.contains($0) }.map { "\($0.row.sensor)" }
      .joined(separator: " and no ")
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
package import Runtime
package import Service

#if Host || History || Tool
  internal import Boards
  package import MotionSources
#endif

/// The source of motion for a program that does not name one, with the reason for the choice.
package enum SourceSelection {
  /// The board of the service at a socket path.
  case service(ServiceSource, at: ServicePlace)
  #if Host || History || Tool
    /// A board that this process opens itself.
    case board(BoardSelection)
  #endif

  #if Host || History || Tool
    /// Returns the service's board if the service exists; otherwise the board that `BoardSelection`
    /// finds. Throws if the service rejects this program, or if the board file is invalid.
    package static func choose() throws(SessionError) -> SourceSelection {
      if let place = ServicePlace.find() {
        do throws(SessionError) {
          return .service(try ServiceSource(path: place.path), at: place)
        } catch {
          // Ignore the socket file of a service that has ended, unless the user named the socket,
          // because a source that was named explicitly must not be replaced.
          guard case .service(let failure) = error, failure.kind == .absent, !place.isAsked else {
            throw error
          }
          logger.notice("\(error.description); the board is opened in this process")
        }
      }
      do throws(BoardErrors) { return .board(try BoardSelection.choose()) } catch {
        throw .board(error)
      }
    }
  #else
    /// Returns the service's board. Throws if the service does not exist or rejects this program.
    package static func choose() throws(SessionError) -> SourceSelection {
      guard let place = ServicePlace.find() else { throw .noBoard([]) }
      return .service(try ServiceSource(path: place.path), at: place)
    }
  #endif

  package func makeSource() -> any MotionSource {
    switch self {
    case .service(let source, _): source
    #if Host || History || Tool
      case .board(let selection): BoardSession(selection.board)
    #endif
    }
  }

  /// The reason why a program gets no motion with this choice; otherwise `nil`.
  package var missing: SessionError? {
    switch self {
    case .service: nil
    #if Host || History || Tool
      case .board(let selection):
        selection.reason == .nothingElse ? .noBoard(selection.unopened) : nil
    #endif
    }
  }

  /// A message of one sentence that names the board and the reason why it was chosen.
  package var sentence: String {
    switch self {
    case .service(let source, let place):
      let why = place.isAsked ? ", named by $\(ServicePlace.environmentName)" : ""
      return "\(source.name), of the otolith service at \(place.path)\(why)"
    #if Host || History || Tool
      case .board(let selection): return selection.sentence
    #endif
    }
  }

  /// Further remarks about the choice, one per line.
  package var remarks: [String] {
    switch self {
    case .service:
      let name = "OTOLITH_BOARD"
      guard let board = ProcessInfo.processInfo.environment[name], !board.isEmpty else { return [] }
      return [
        "$\(name) (\(board)) is ignored, because the service has the board; set "
          + "$\(ServicePlace.environmentName) to an empty value to open a board in this process"
      ]
    #if Host || History || Tool
      case .board(let selection): return selection.remarks
    #endif
    }
  }
}

private let logger = Logger(label: "otolith")

// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import Foundation
internal import Logging
package import Runtime
package import Service

/// The source of motion of a program that named none, and the reason for it.
package enum SourceSelection {
  /// The board of the service at a place.
  case service(ServiceSource, at: ServicePlace)
  /// A board that this process opens itself.
  case board(BoardSelection)

  /// Returns the service's board where there is a service, else the one that `BoardSelection`
  /// finds. Throws where the service does not serve this program, or the board file is wrong.
  package static func choose() throws(SessionError) -> SourceSelection {
    if let place = ServicePlace.find() {
      do throws(SessionError) {
        return .service(try ServiceSource(path: place.path), at: place)
      } catch {
        // The socket of a service that has ended keeps no program from opening the board; but a
        // source asked for by name is meant.
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

  package func makeSource() -> any MotionSource {
    switch self {
    case .service(let source, _): source
    case .board(let selection): BoardSession(selection.board)
    }
  }

  /// One sentence that names the board and the reason for it.
  package var sentence: String {
    switch self {
    case .service(let source, let place):
      let why = place.isAsked ? ", named by $\(ServicePlace.environmentName)" : ""
      return "\(source.name), of the otolith service at \(place.path)\(why)"
    case .board(let selection): return selection.sentence
    }
  }

  /// Further remarks that explain the choice, a line each.
  package var remarks: [String] {
    switch self {
    case .service:
      let name = BoardSelection.environmentName
      guard let board = ProcessInfo.processInfo.environment[name], !board.isEmpty else { return [] }
      return [
        "$\(name) (\(board)) is not read, since the service has the board; set "
          + "$\(ServicePlace.environmentName) to nothing to open one in this process"
      ]
    case .board(let selection): return selection.remarks
    }
  }
}

private let logger = Logger(label: "otolith")

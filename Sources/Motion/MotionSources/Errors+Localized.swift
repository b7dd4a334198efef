// SPDX-License-Identifier: Apache-2.0
public import Boards
public import Foundation
internal import LinuxBus
public import Recordings
public import ChipCatalog
internal import Text

// The messages in `localizedDescription` for errors about boards and files; `Runtime` has the
// messages for other errors.

extension BoardError: LocalizedError { public var errorDescription: String? { description } }
extension BoardErrors: LocalizedError { public var errorDescription: String? { description } }
extension FileWriterError: LocalizedError { public var errorDescription: String? { description } }
extension HeldError: LocalizedError { public var errorDescription: String? { description } }
extension RecordingError: LocalizedError { public var errorDescription: String? { description } }

extension RegisterQueryError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    let near = NearestWord.several(to: text, among: known, limit: 3)
    let guess = near.isEmpty ? nil : "; did you mean \(near.joined(separator: ", "))?"
    let all = known.joined(separator: ", ")
    return switch kind {
    case .register: "there is no register '\(text)'\(guess ?? "")"
    case .field: "\(subject ?? "") has no field '\(text)'\(guess ?? "; it has \(all)")"
    case .value: "'\(text)' is not a value of \(subject ?? ""): it takes \(all)"
    }
  }
}

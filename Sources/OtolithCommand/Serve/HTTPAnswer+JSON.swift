// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import MotionViews
import WebServer

extension HTTPAnswer {
  static func json(_ value: JSON, _ status: HTTPStatus = .ok) -> HTTPAnswer {
    HTTPAnswer(status, type: "application/json", body: value.bytes)
  }

  /// A sentence of what is wrong.
  static func error(_ text: String, _ status: HTTPStatus) -> HTTPAnswer {
    .json(.object([("error", .text(text))]), status)
  }
}

/// The reason why a request is not done, and its status.
struct HTTPRefusal: Error {
  var status: HTTPStatus
  var text: String
}

extension HTTPRequest {
  /// Returns what the body asks for; `example` is one, for the refusal of another.
  func json<Wanted: Decodable>(
    _ type: Wanted.Type, such example: String
  ) throws(HTTPRefusal) -> Wanted {
    let text = "the body is JSON: \(example)"
    // Forms of other pages cannot send it without asking first.
    guard words("content-type").first?.hasPrefix("application/json") == true else {
      throw HTTPRefusal(status: .unsupportedMediaType, text: text)
    }
    guard let wanted = try? JSONDecoder().decode(type, from: Data(body)) else {
      throw HTTPRefusal(status: .badRequest, text: text)
    }
    return wanted
  }
}

// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import MotionViews
import WebServer
import Text

extension HTTPAnswer {
  static func json(_ value: JSON, _ status: HTTPStatus = .ok) -> HTTPAnswer {
    HTTPAnswer(status, type: "application/json", body: value.bytes)
  }

  static func error(_ text: String, _ status: HTTPStatus) -> HTTPAnswer {
    .json(.object([.init("error", .text(text))]), status)
  }
}

/// The reason for rejecting a request, and its status.
struct HTTPRefusal: Error {
  var status: HTTPStatus
  var text: String
}

extension HTTPRequest {
  /// Decodes the body; `example` is a valid one, for the error message.
  func json<Wanted: Decodable>(
    _ type: Wanted.Type, such example: String
  ) throws(HTTPRefusal) -> Wanted {
    let text = "the body is JSON: \(example)"
    // Forms on other pages cannot send this type without a preflight request.
    guard words("content-type").first?.hasPrefix("application/json") == true else {
      throw HTTPRefusal(status: .unsupportedMediaType, text: text)
    }
    guard let wanted = try? JSONDecoder().decode(type, from: Data(body)) else {
      throw HTTPRefusal(status: .badRequest, text: text)
    }
    return wanted
  }
}

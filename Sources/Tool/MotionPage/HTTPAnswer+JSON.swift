// SPDX-License-Identifier: Apache-2.0
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

/// The status and the message of the answer that rejects a request.
struct HTTPRefusal: Error {
  var status: HTTPStatus
  var text: String
}

extension HTTPRequest {
  /// Decodes the request's JSON body. `example` is a valid body, which the error message shows.
  func json<Wanted: Decodable>(
    _ type: Wanted.Type, such example: String
  ) throws(HTTPRefusal) -> Wanted {
    let text = "the body is JSON: \(example)"
    // Require `application/json`, because a form on another site cannot send this type without a
    // CORS preflight request.
    guard words("content-type").first?.hasPrefix("application/json") == true else {
      throw HTTPRefusal(status: .unsupportedMediaType, text: text)
    }
    guard let wanted = try? JSONDecoder().decode(type, from: Data(body)) else {
      throw HTTPRefusal(status: .badRequest, text: text)
    }
    return wanted
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The response to a request without the token. Browsers get a page with an input field, other
/// clients get a message of one sentence.
enum TokenPage {
  static func answer(_ request: HTTPRequest, isRead: Bool, isWrong: Bool) -> HTTPAnswer {
    let reason =
      isWrong
      ? "this is not the token of this server"
      : isRead ? "a token is needed" : "a token is needed to change anything"
    let isPage = isRead && request.words("accept").contains { $0.hasPrefix("text/html") }
    var answer =
      isPage
      ? HTTPAnswer(.unauthorized, type: "text/html; charset=utf-8", body: Array(page(reason).utf8))
      : HTTPAnswer(
        .unauthorized,
        "\(reason): open the address that otolith serve has printed, or send "
          + "'Authorization: Bearer TOKEN'")
    answer.headers.append(("WWW-Authenticate", "Bearer"))
    return answer
  }

  /// Returns the page. `reason` is one of the messages above, so the page contains nothing from the
  /// request.
  private static func page(_ reason: String) -> String {
    let title = reason.prefix(1).uppercased() + reason.dropFirst()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>otolith: \(reason)</title>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      <p>otolith serve printed an address when it started. Open that address, or enter the token: \
      the part behind <code>?token=</code>, or the first line of its --token-file.</p>
      <form method="get" action="/">
      <p><label>Token <input name="token" type="password" required autofocus autocomplete="off" \
      autocapitalize="off" spellcheck="false" size="30"></label> <button>Open</button></p>
      </form>
      </main>
      </body>
      </html>

      """
  }
}

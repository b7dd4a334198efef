// SPDX-License-Identifier: Apache-2.0
package import MotionViews

/// The characters and colours that a terminal supports, according to the environment.
package struct ScreenStyle {
  package let characterSet: TerminalCharacters
  package let colors: ColorDepth

  package init(_ asked: TerminalCharacters?, _ environment: [String: String]) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let type = value("TERM") ?? ""
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
    let isUTF8 = locale.contains("utf-8") || locale.contains("utf8")
    // The font of the Linux console contains no Braille characters.
    characterSet = asked ?? (isUTF8 && type != "linux" ? .unicode : .ascii)
    let hasPalette = type.contains("256color") || value("COLORTERM") != nil
    colors = value("NO_COLOR") != nil ? .none : hasPalette ? .palette : .sixteen
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Foundation
package import WebServer

/// The access token of `otolith serve`, and the addresses at which browsers can open the page.
package struct ServeAccess {
  package var access = WebAccess()
  private let address: String
  /// True if the token was generated for this run, so that it must be printed.
  private var isMadeUp = false

  package init(
    listeningOn address: String, tokenFile: String?, names: [String], origins: [String]
  ) throws(Failure) {
    self.address = address
    access.isLocal = WebAccess.isLoopback(address)
    access.names = Set(names.map { $0.lowercased() })
    access.origins = Set(origins.map { $0.lowercased() })
    if !access.isLocal, let name = OwnAddresses.name?.lowercased() {
      access.names.formUnion([name, name + ".local"])
    }
    if let given = try Self.givenToken(tokenFile) {
      guard given.utf8.count >= 16, given.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x3B })
      else {
        throw Failure(
          "the token has at least 16 characters, and no blanks or semicolons", Failure.usage)
      }
      access.token = Array(given.utf8)
      access.guardsReading = true
    } else {
      var generator = SystemRandomNumberGenerator()
      let words = [generator.next(), generator.next()] as [UInt64]
      access.token = Array(words.map { String($0, radix: 36) }.joined().utf8)
      access.guardsReading = !access.isLocal
      isMadeUp = true
    }
  }

  private static func givenToken(_ file: String?) throws(Failure) -> String? {
    guard let file else {
      let value = ProcessInfo.processInfo.environment["OTOLITH_TOKEN"] ?? ""
      return value.isEmpty ? nil : value
    }
    let text = try SecretFile.text(of: file, content: "the token")
    return String(text.prefix { !$0.isNewline })
  }

  /// Returns one line for each address of the server. The first address is the one that users
  /// should open.
  package func lines(port: UInt16) -> [String] {
    // A token from the user is already known, and must not appear in a log.
    let token =
      isMadeUp ? access.token.map { "?token=" + String(decoding: $0, as: UTF8.self) } : nil
    return hosts.enumerated().map { index, host in
      (index == 0 ? "serving: " : "or: ") + "http://\(host):\(port)/\(token ?? "")"
    }
  }

  /// The hosts to print: if the server listens on 0.0.0.0, this machine's names and addresses.
  private var hosts: [String] {
    guard ["0.0.0.0", "::"].contains(address) else { return [Self.host(address)] }
    let all = OwnAddresses.all.filter { address == "::" || !$0.contains(":") }
    let names = all.isEmpty ? [] : [OwnAddresses.name].compactMap(\.self)
    return (all.isEmpty ? ["127.0.0.1"] : all).map(Self.host) + names
  }

  private static func host(_ address: String) -> String {
    address.contains(":") ? "[\(address)]" : address
  }
}

/// The host name and network addresses of this machine.
enum OwnAddresses {
  static var name: String? {
    var name = [CChar](repeating: 0, count: 256)
    // `gethostname` writes `name` during the call; the last byte stays zero.
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The addresses of active interfaces, IPv4 first, without loopback and link-local addresses.
  static var all: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }  // nothing of it is kept
    var found: [String] = []
    var next = unsafe list  // a list that ends in nil, and lives until it is freed above
    while let interface = unsafe next?.pointee {
      unsafe next = interface.ifa_next  // as above
      let flags = Int(unsafe interface.ifa_flags)  // as above
      guard flags & Int(IFF_UP) != 0, flags & Int(IFF_LOOPBACK) == 0,
        let address = unsafe interface.ifa_addr  // as above
      else { continue }
      let family = Int32(unsafe address.pointee.sa_family)  // as above
      let size: Int? =
        switch family {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: nil
        }
      guard let size else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      // The address has the size of its family; `getnameinfo` writes `text` only during the call.
      let result = unsafe getnameinfo(
        address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      guard result == 0 else { continue }
      let shown = String(
        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if !shown.hasPrefix("fe80:"), !shown.hasPrefix("169.254.") { found.append(shown) }
    }
    return found.filter { !$0.contains(":") } + found.filter { $0.contains(":") }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Testing

/// Links, pipes and files of other users in place of a store's files and folders.
@Suite struct StateFileTests {
  private let files = FileManager.default

  /// Creates a file outside of the stores, which must not change.
  private func victim(_ rig: Rig) throws -> String {
    let path = rig.root + "/victim"
    try "precious".write(toFile: path, atomically: false, encoding: .utf8)
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    return path
  }

  private func expectUntouched(_ path: String) throws {
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o644)
  }

  private func makeFolder(_ path: String) throws {
    try files.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test(arguments: ["lock", "movement.sqlite", "movement.sqlite-wal", "movement.sqlite-shm"])
  func `a link in the place of a file of the history is not followed`(_ name: String) throws {
    let rig = try Rig()
    let victim = try victim(rig)
    try makeFolder(rig.movement.folder)
    let link = rig.movement.folder + "/" + name
    try files.createSymbolicLink(atPath: link, withDestinationPath: victim)
    #expect(throws: HistoryError(.failed, path: link, reason: "it is a link; remove it")) {
      _ = try rig.writer()
    }
    try expectUntouched(victim)
  }

  @Test func `a file of the history with a second name is not written`() throws {
    let rig = try Rig()
    let victim = try victim(rig)
    try makeFolder(rig.movement.folder)
    let lock = rig.movement.folder + "/lock"
    try files.linkItem(atPath: victim, toPath: lock)
    #expect(throws: HistoryError(.failed, path: lock, reason: "it has a second name; remove it")) {
      _ = try rig.writer()
    }
    try expectUntouched(victim)
  }

  @Test(arguments: ["lock", "movement.sqlite"])
  func `a pipe in the place of a file of the history is not waited for`(_ name: String) throws {
    let rig = try Rig()
    try makeFolder(rig.movement.folder)
    let path = rig.movement.folder + "/" + name
    // `mkfifo` reads the path only during the call.
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let error = HistoryError(.failed, path: path, reason: "it is not a regular file; remove it")
    #expect(throws: error) { _ = try rig.writer() }
    if name != "lock" { #expect(throws: error) { _ = try rig.movement.summary() } }
  }

  @Test func `a link in the place of samples is not followed`() throws {
    let rig = try Rig()
    let victim = try victim(rig)
    try makeFolder(rig.store.folder)
    let link = rig.store.folder + "/0000000000000001.samples"
    try files.createSymbolicLink(atPath: link, withDestinationPath: victim)
    #expect(throws: HistoryError(.failed, path: link, reason: "it is a link; remove it")) {
      _ = try SampleWriter(rig.store, clocks: rig.clocks)
    }
    try expectUntouched(victim)
  }

  @Test func `a link in the place of a request takes its own end`() throws {
    let rig = try Rig()
    let victim = try victim(rig)
    try makeFolder(rig.store.folder)
    for name in ["request", "request.part"] {
      try files.createSymbolicLink(
        atPath: rig.store.folder + "/" + name, withDestinationPath: victim)
    }
    try rig.store.extendRequest(by: .seconds(60), clocks: rig.clocks)
    #expect(rig.store.request(rig.clocks)?.remaining(rig.clocks) == .seconds(60))
    #expect(try files.contentsOfDirectory(atPath: rig.store.folder) == ["request"])
    try expectUntouched(victim)
  }

  /// A folder of another user, which root found or would have created.
  @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: ["/state/movement", "/state", ""])
  func `root writes nothing into another user's state`(_ place: String) throws {
    let rig = try Rig()
    let foreign = rig.root + place
    try makeFolder(foreign)
    try files.setAttributes([.ownerAccountID: 54321], ofItemAtPath: foreign)
    let error = HistoryError(
      .denied, path: foreign,
      reason: "it belongs to user 54321, so root does not write to it; run this as that user, or "
        + "set XDG_STATE_HOME to a folder that belongs to root")
    #expect(throws: error) { _ = try rig.writer() }
    #expect(throws: error) { try rig.movement.erase() }
    #expect(try files.contentsOfDirectory(atPath: foreign).isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `a lock of another user's is refused`() throws {
    let rig = try Rig()
    do { _ = try rig.writer() }
    let lock = rig.movement.folder + "/lock"
    try files.setAttributes([.ownerAccountID: 54321], ofItemAtPath: lock)
    let error = #expect(throws: HistoryError.self) { _ = try rig.writer() }
    #expect(error?.kind == .denied && error?.path == lock)
  }
}

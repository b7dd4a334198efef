// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith

struct Boards: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List board files, or check them.", subcommands: [List.self, Check.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the boards of a folder, and which one a program here would use.")

    @Argument(help: ArgumentHelp("The folder. (default: boards)", valueName: "folder"))
    var named: String?

    private var isNamed: Bool { named != nil }
    private var folder: String { named ?? "boards" }

    func run() throws {
      var isFolder: ObjCBool = false
      // The flag is written within the call alone.
      let isThere = unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
      if isThere, !isFolder.boolValue {
        throw Failure(
          "\(folder): is not a folder; to look at a file: otolith boards check", Failure.noInput)
      }
      // Without the usual folder there is still the board in use to tell.
      if !isThere, isNamed { throw Failure("\(folder): no such folder", Failure.noInput) }
      let names: [String]
      do {
        names = isThere ? try FileManager.default.contentsOfDirectory(atPath: folder) : []
      } catch { throw Failure("\(folder): cannot be read", Failure.noInput) }
      if !names.contains(where: { $0.hasSuffix(".yaml") }) {
        Terminal.complain(
          isThere
            ? "\(folder): holds no board file (*.yaml)"
            : "no folder 'boards' here; name one: otolith boards list FOLDER")
      }
      for name in names.sorted() where name.hasSuffix(".yaml") {
        let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
        do throws(BoardErrors) {
          let board = try BoardFile.load(path: path, catalogue: ChipCatalog.descriptions)
          let chips = board.chips.map { chip in
            ChipCatalog.entry(named: chip.chip)?.description.title ?? chip.chip
          }
          Terminal.say("\(path): \(board.name) (\(chips.joined(separator: ", ")))")
        } catch {
          let count = error.errors.count
          Terminal.say(
            "\(path): \(count) error\(count == 1 ? "" : "s"); see: otolith boards check \(path)")
        }
      }
      do throws(SessionError) {
        Terminal.say("in use here: \(try SourceSelection.choose().sentence)")
      } catch { throw Failure(error) }
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check board files: every error with its line and column.")

    @Argument(help: "The board files.")
    var files: [String]

    func validate() throws {
      if files.isEmpty { throw ValidationError("name at least one board file") }
    }

    func run() throws {
      var status: Int32 = 0
      for file in files {
        do throws(BoardErrors) {
          let board = try BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
          Terminal.say("\(file): good: \(board.name)")
          for chip in board.chips { Terminal.say("  \(Self.summary(chip, board))") }
        } catch {
          let failure = Failure(error)
          Terminal.complain(failure.message)
          status = status == 0 ? failure.status : status
        }
      }
      if status != 0 { OtolithTool.exit(withStatus: status) }
    }

    private static func summary(_ chip: ChipPlacement, _ board: Board) -> String {
      let place = chip.address.map { "0x" + String($0, radix: 16, uppercase: true) + " on " } ?? ""
      let bus = board.bus(chip.bus)
      let how = chip.settings.acquisition.boardName
      return
        "\(chip.name): \(chip.chip) at \(place)\(bus?.path ?? "\(bus?.isTrace == true ? "recorded" : "simulated") \(chip.bus)"), "
        + "\(chip.settings.rate.formatted()) Hz by \(how)"
    }
  }
}

extension Double {
  /// Without a needless fraction.
  fileprivate func formatted() -> String {
    self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
  }
}

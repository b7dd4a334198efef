// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The output of `otolith install --print`.
@Suite struct InstallTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func lines(_ part: String) throws -> [String] {
    let ending = try Tool.run("install", "--print", part, in: scratch)
    #expect(ending.status == 0 && ending.errors.isEmpty)
    #expect(ending.lines.allSatisfy { $0.count <= 100 })
    #expect(scratch.names.isEmpty, "it writes nothing")
    return ending.lines
  }

  @Test func `the printed service runs as its own user and keeps what it needs`() throws {
    let lines = try lines("service")
    let path = try #require(Tool.url).path()
    #expect(lines.first == "# /etc/systemd/system/otolith.service")
    for line in [
      "[Unit]", "Requires=otolith.socket", "[Service]", "ExecStart=\(path) service",
      "ExecReload=\(path) service reload", "Restart=on-failure", "User=otolith",
      "SupplementaryGroups=i2c spi gpio iio", "StateDirectory=otolith",
      "AmbientCapabilities=CAP_SYS_NICE", "LimitRTPRIO=10", "NoNewPrivileges=yes",
      "DevicePolicy=closed", "DeviceAllow=char-i2c rw", "DeviceAllow=char-spi* rw",
      "DeviceAllow=char-iio rw", "ReadWritePaths=-/sys/devices",
      "DeviceAllow=char-gpiochip rw", "ProtectSystem=strict", "ProtectProc=invisible",
      "Type=notify", "WatchdogSec=10", "MemoryMax=256M", "TasksMax=128", "UMask=0077",
      "PrivateNetwork=yes", "MemoryDenyWriteExecute=yes", "RestrictAddressFamilies=AF_UNIX",
      "OOMScoreAdjust=-500", "[Install]",
    ] { #expect(lines.contains(line), "\(line)") }
    // Locks are on the device nodes themselves, so no path for them is needed.
    #expect(!lines.contains { $0.contains("/run/lock") })
    // These options would remove what reader threads need: SCHED_FIFO, and the device nodes.
    #expect(!lines.contains { $0.hasPrefix("RestrictRealtime") || $0.hasPrefix("PrivateDevices") })
  }

  @Test func `the socket, rules and users are printed as systemd reads them`() throws {
    let socket = try lines("socket")
    #expect(socket.first == "# /etc/systemd/system/otolith.socket")
    for line in [
      "ListenSequentialPacket=/run/otolith/otolith.sock", "SocketGroup=otolith", "SocketMode=0660",
      "WantedBy=sockets.target",
    ] { #expect(socket.contains(line), "\(line)") }
    let udev = try lines("udev")
    #expect(udev.first == "# /etc/udev/rules.d/60-otolith.rules")
    #expect(
      udev.suffix(6) == [
        #"SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660""#,
        #"SUBSYSTEM=="spidev", GROUP="spi", MODE="0660""#,
        #"SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660""#,
        "# Sensors that the kernel reads: their nodes, and the files that set rate and range.",
        #"SUBSYSTEM=="iio", KERNEL=="iio:device*", GROUP="iio", MODE="0660""#,
        #"SUBSYSTEM=="iio", RUN+="/bin/sh -c 'chgrp -R iio /sys%p; chmod -R g+rwX /sys%p'""#,
      ])
    let users = try lines("sysusers")
    #expect(users.first == "# /etc/sysusers.d/otolith.conf")
    #expect(
      users.suffix(11) == [
        "g i2c -", "g spi -", "g gpio -", "g iio -",
        #"u otolith - "otolith motion service" /var/lib/otolith"#, "m otolith i2c",
        "m otolith spi", "m otolith gpio", "m otolith iio",
        #"u otolith-proxy - "otolith sensor proxy""#, "m otolith-proxy otolith",
      ])
    #expect(try lines("tmpfiles").last == "d /run/otolith 0755 otolith otolith -")
  }

  @Test func `the recorder's unit asks the service and has no device`() throws {
    let lines = try lines("record")
    let path = try #require(Tool.url).path()
    #expect(lines.first == "# /etc/systemd/system/otolith-record.service")
    for line in [
      "Requires=otolith.socket", "ExecStart=\(path) record \\",
      "  --output /var/log/otolith/samples.csv --rotate 1h --rotate 100MB --keep 72",
      "Environment=OTOLITH_SOCKET=/run/otolith/otolith.sock", "User=otolith",
      "LogsDirectory=otolith", "PrivateDevices=yes", "ProtectSystem=strict",
      "WantedBy=multi-user.target",
    ] { #expect(lines.contains(line), "\(line)") }
    // The command in the unit is valid: it fails only because there is no service.
    let arguments = "record --output s.csv --rotate 1h --rotate 100MB --keep 72"
    let ending = try Tool.shell("OTOLITH_SOCKET=none.sock \"$OTOLITH\" \(arguments)", in: scratch)
    #expect(ending.status == 69 && ending.errors.contains("none.sock"), "\(ending.errors)")
  }

  @Test func `all parts are printed at once, and nothing is written`() throws {
    let all = try lines("all")
    for part in ["service", "socket", "udev", "sysusers", "tmpfiles", "record"] {
      for line in try lines(part) { #expect(all.contains(line), "\(line)") }
    }
    #expect(try Tool.run("install", "--print", in: scratch).lines == all)
    let ending = try Tool.run("install", in: scratch)
    #expect(ending.status == 64)
    #expect(
      ending.errors.hasPrefix(
        "otolith install only prints the files: add --print\n"))
  }

  /// A package is built elsewhere than where it is installed.
  @Test func `the files are for the program that is named`() throws {
    let ending = try Tool.run(
      "install", "--print", "all", "--program", "/usr/bin/otolith", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.lines.filter { $0.hasPrefix("Exec") } == [
        "ExecStart=/usr/bin/otolith service", "ExecReload=/usr/bin/otolith service reload",
        "ExecStart=/usr/bin/otolith record \\",
      ])
    #expect(ending.lines.count { $0 == "ProtectHome=yes" } == 2)
  }

  /// A line break in the path would add an option to the unit.
  @Test(arguments: ["a\nUser=root", "a\u{1B}[2J", "it's", "a\"b", "back\\slash"])
  func `a path that systemd takes for something else is refused`(_ folder: String) throws {
    let tool = try #require(Tool.url).path()
    let place = scratch.path + "/" + folder
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: tool, toPath: place + "/otolith")
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: place + "/otolith")
    process.arguments = ["install", "--print", "service"]
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(printed.isEmpty)
    #expect(process.terminationStatus == 78)
    #expect(said.contains("a unit of systemd cannot name this program"), "\(said)")
    #expect(said.split(separator: "\n").count == 1 && !said.contains("\u{1B}"), "\(said)")
  }

  /// The two units that are not part of the service have users that own none of its files.
  @Test func `publisher and sensor proxy may use the service and are not its user`() throws {
    func lines(_ unit: String) throws -> [String] {
      let path = Tool.root + "share/systemd/otolith-\(unit).service"
      return try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    }
    for line in [
      "DynamicUser=yes", "SupplementaryGroups=otolith", "StateDirectory=otolith-publish",
      "LoadCredential=mqtt:/etc/otolith/mqtt", "EnvironmentFile=/etc/otolith/publish.env",
      "ExecStart=/usr/local/bin/otolith publish $OTOLITH_PUBLISH",
      "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    ] { #expect(try lines("publish").contains(line), "\(line)") }
    #expect(try !lines("publish").contains { $0.hasPrefix("User=") })
    for line in [
      "User=otolith-proxy", "SupplementaryGroups=otolith", "Type=exec", "PrivateNetwork=yes",
      "Conflicts=iio-sensor-proxy.service", "RestrictAddressFamilies=AF_UNIX",
    ] { #expect(try lines("sensor-proxy").contains(line), "\(line)") }
    // systemd refuses a second unit with this bus name, which iio-sensor-proxy.service has.
    #expect(try !lines("sensor-proxy").contains { $0.hasPrefix("BusName=") })
    // The bus policy allows the unit's user to own the name.
    let policy = try String(
      contentsOfFile: Tool.root + "share/dbus-1/system.d/otolith-sensor-proxy.conf",
      encoding: .utf8)
    #expect(policy.contains("<policy user=\"otolith-proxy\">"))
  }

  static let hasSystemd = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

  /// systemd's own check, if systemd is installed.
  @Test(.enabled(if: hasSystemd, "systemd-analyze is not installed"))
  func `systemd agrees with the printed units`() throws {
    let ending = try Tool.shell(
      """
      "$OTOLITH" install --print service > otolith.service
      "$OTOLITH" install --print socket > otolith.socket
      "$OTOLITH" install --print record > otolith-record.service
      for unit in publish sensor-proxy; do
        sed "s|/usr/local/bin/otolith|$OTOLITH|" "\(Tool.root)share/systemd/otolith-$unit.service" > otolith-$unit.service
      done
      systemd-analyze verify --man=no ./otolith*.service ./otolith.socket 2>&1 | grep -i otolith
      true
      """, in: scratch)
    #expect(ending.output.isEmpty, "\(ending.output)")
    for unit in [
      "otolith.service", "otolith-record.service", "otolith-publish.service",
      "otolith-sensor-proxy.service",
    ] {
      let score = try Tool.shell(
        "systemd-analyze security --offline=true --threshold=15 ./\(unit) > /dev/null 2>&1",
        in: scratch)
      #expect(score.status == 0, "\(unit): systemd's score is beyond 1.5")
    }
  }
}

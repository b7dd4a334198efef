// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Foundation
import Recordings

/// The systemd units that run the service and record its motion. They start the executable at a
/// given path.
struct InstallationFiles {
  private let executable: String
  /// True if the executable is in a home directory; the unit must then allow access to it.
  private let isInHome: Bool

  /// Creates the units. The path is quoted, and systemd's specifiers in it are escaped
  /// (systemd.unit(5), systemd.service(5)). Throws if systemd does not accept the path
  /// (`string_is_safe`).
  init(executable: String) throws(Failure) {
    guard
      !executable.unicodeScalars.contains(where: {
        ControlCharacters.contains($0) || "\\\"'".unicodeScalars.contains($0)
      })
    else {
      throw Failure(
        "\(executable.debugDescription): a unit of systemd cannot name this program, for the "
          + "control characters, quotes or backslashes in its path: install it elsewhere",
        Failure.configuration)
    }
    isInHome = ["/home/", "/root/", "/run/user/"].contains { executable.hasPrefix($0) }
    var text = executable
    for (character, replacement) in [("%", "%%"), ("$", "$$")] {
      text = text.replacingOccurrences(of: character, with: replacement)
    }
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-+".contains($0) }
    self.executable = isPlain ? text : "\"\(text)\""
  }

  func text(_ part: Install.Part) -> String {
    switch part {
    case .service: service
    case .socket: Self.socket
    case .udev: Self.udev
    case .sysusers: Self.sysusers
    case .tmpfiles: Self.tmpfiles
    case .record: record
    case .all: ""
    }
  }

  // Sources: systemd.exec(5), systemd.resource-control(5). The reader threads run with SCHED_FIFO
  // priority 10. Device classes are named as in /proc/devices, where spidev may be called spi.
  private var service: String {
    """
    # /etc/systemd/system/otolith.service
    # Started by otolith.socket when the first program connects.
    # Then: sudo systemctl daemon-reload; sudo systemctl enable --now otolith.socket

    [Unit]
    Description=Motion sensing for all programs on this machine
    Requires=otolith.socket
    After=otolith.socket
    StartLimitIntervalSec=0

    [Service]
    Type=notify
    WatchdogSec=10
    ExecStart=\(executable) service
    ExecReload=\(executable) service reload
    Restart=on-failure
    RestartSec=2
    RestartPreventExitStatus=64 66 78
    OOMScoreAdjust=-500

    User=otolith
    Group=otolith
    SupplementaryGroups=i2c spi gpio iio
    StateDirectory=otolith
    StateDirectoryMode=0750
    Environment=XDG_STATE_HOME=/var/lib

    AmbientCapabilities=CAP_SYS_NICE
    CapabilityBoundingSet=CAP_SYS_NICE
    LimitRTPRIO=10

    DevicePolicy=closed
    DeviceAllow=char-i2c rw
    DeviceAllow=char-spi* rw
    DeviceAllow=char-gpiochip rw
    DeviceAllow=char-iio rw
    # Rate and range of a sensor that the kernel reads; group iio may write to these files alone.
    ReadWritePaths=-/sys/devices
    MemoryMax=256M
    TasksMax=128
    UMask=0077
    \(confinement)

    [Install]
    Also=otolith.socket

    """
  }

  // The recording unit needs no devices, because the service owns them. A restart is safe, because
  // numbered output files are never overwritten. Exit status 74 is an I/O error such as a full
  // disk.
  private var record: String {
    """
    # /etc/systemd/system/otolith-record.service
    # Records the service's samples in /var/log/otolith, in up to 72 files of an hour or 100 MB.
    # Then: sudo systemctl daemon-reload; sudo systemctl enable --now otolith-record.service

    [Unit]
    Description=Recording of this machine's sensors
    Requires=otolith.socket
    After=otolith.socket
    StartLimitIntervalSec=0

    [Service]
    Type=exec
    ExecStart=\(executable) record \\
      --output /var/log/otolith/samples.csv --rotate 1h --rotate 100MB --keep 72
    Environment=OTOLITH_SOCKET=/run/otolith/otolith.sock
    Restart=on-failure
    RestartSec=30
    RestartPreventExitStatus=64 77

    User=otolith
    Group=otolith
    LogsDirectory=otolith
    LogsDirectoryMode=0750

    CapabilityBoundingSet=
    PrivateDevices=yes
    MemoryMax=128M
    TasksMax=64
    UMask=0027
    \(confinement)

    [Install]
    WantedBy=multi-user.target

    """
  }

  /// The lines in both units that restrict the process to what it needs (systemd.exec(5)).
  private var confinement: String {
    """
    IPAddressDeny=any
    NoNewPrivileges=yes
    PrivateNetwork=yes
    PrivateTmp=yes
    ProtectSystem=strict
    ProtectClock=yes
    ProtectControlGroups=yes
    ProtectHome=\(isInHome ? "read-only" : "yes")
    ProtectHostname=yes
    ProtectKernelLogs=yes
    ProtectKernelModules=yes
    ProtectKernelTunables=yes
    ProtectProc=invisible
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    RestrictAddressFamilies=AF_UNIX
    RestrictNamespaces=yes
    RemoveIPC=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallErrorNumber=EPERM
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged
    """
  }

  private static let socket = """
    # /etc/systemd/system/otolith.socket
    # Whoever is in group otolith may use the service: sudo usermod -aG otolith $USER
    # Then: sudo systemctl daemon-reload; sudo systemctl enable --now otolith.socket

    [Unit]
    Description=Motion sensing for all programs on this machine

    [Socket]
    ListenSequentialPacket=/run/otolith/otolith.sock
    SocketUser=root
    SocketGroup=otolith
    SocketMode=0660

    [Install]
    WantedBy=sockets.target

    """

  private static let udev = """
    # /etc/udev/rules.d/60-otolith.rules
    # Gives the groups access to the device nodes; Raspberry Pi OS has such rules already.
    # Then: sudo udevadm control --reload; sudo udevadm trigger

    SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"
    SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
    SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
    # Sensors that the kernel reads: their nodes, and the files that set rate and range.
    SUBSYSTEM=="iio", KERNEL=="iio:device*", GROUP="iio", MODE="0660"
    SUBSYSTEM=="iio", RUN+="/bin/sh -c 'chgrp -R iio /sys%p; chmod -R g+rwX /sys%p'"

    """

  private static let sysusers = """
    # /etc/sysusers.d/otolith.conf
    # The users of the service and of the sensor proxy, and the groups of the device nodes.
    # Then: sudo systemd-sysusers

    g i2c -
    g spi -
    g gpio -
    g iio -
    u otolith - "otolith motion service" /var/lib/otolith
    m otolith i2c
    m otolith spi
    m otolith gpio
    m otolith iio
    u otolith-proxy - "otolith sensor proxy"
    m otolith-proxy otolith

    """

  private static let tmpfiles = """
    # /etc/tmpfiles.d/otolith.conf
    # The socket's folder, for a service that user otolith starts without otolith.socket.
    # Then: sudo systemd-tmpfiles --create otolith.conf

    d /run/otolith 0755 otolith otolith -

    """
}

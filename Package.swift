// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Every Swift target is held to the same settings; a warning is an error.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  // Of a function that fills one span from another, Swift 6.2 wants to be told that it keeps neither.
  .enableExperimentalFeature("Lifetimes"),
]

/// For CoreMotion alone: Swift 5 with the checks of Swift 6. Of a module in Swift 6's mode, a program's compiler believes
/// that it calls handlers where they were made, and leaves out the check which it makes for Apple's: a main actor's
/// handler on another queue would race instead of trapping.
let facade: [SwiftSetting] =
  strict.dropFirst() + [
    .swiftLanguageMode(.v5),
    .enableUpcomingFeature("StrictConcurrency"),
    .enableUpcomingFeature("GlobalConcurrency"),
    .enableUpcomingFeature("InferSendableFromCaptures"),
    .enableUpcomingFeature("IsolatedDefaultValues"),
    .enableUpcomingFeature("RegionBasedIsolation"),
  ]

/// The traits that bring what is above the portable core, each what the one before it brings too. A
/// program names one alone: SwiftPM writes several into commands in another order each time, and
/// compiles everything anew for it.
let hosts = ["Client", "Host", "History", "Tool"]

/// A product of another package, of traits from `trait` on. The portable core needs none: a program
/// that asks for no trait has nothing to fetch.
func other(_ product: String, of package: String, trait: String = "Client") -> Target.Dependency {
  let traits = Set(hosts.drop { $0 != trait })
  return .product(name: product, package: package, condition: .when(traits: traits))
}

/// A target of this package, of traits from `trait` on.
func own(_ name: String, trait: String) -> Target.Dependency {
  .target(name: name, condition: .when(traits: Set(hosts.drop { $0 != trait })))
}

/// The portable core compiles unchanged for Linux and, in Embedded Swift, for microcontrollers.
#if compiler(>=6.3)
  let portable = strict + [.treatWarning("EmbeddedRestrictions", as: .error)]
#else  // where the group has no name yet, and all warnings are errors anyhow
  let portable = strict
#endif

// A target of Sources is one line of the layers: what it may import is what it depends on and, of the
// toolchain, what it `mayImport`. The function is its group, and its folder Sources/GROUP/NAME: Core,
// Host, Motion, Tool, each of which may import the ones before it. scripts/layers reads the lines here,
// scripts/lint checks the sources against them, and docs/architecture.md shows them.

func core(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Core/\(name)", swiftSettings: portable)
}

func c(_ name: String, in group: String, linking libraries: String..., exclude: [String] = [])
  -> Target
{
  .target(
    name: name, path: "Sources/\(group)/\(name)", exclude: exclude,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// Declarations alone, which compile to nothing.
func headers(_ name: String, in group: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(group)/\(name)")
}

func host(
  _ name: String, _ dependencies: Target.Dependency..., mayImport: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Host/\(name)", swiftSettings: strict)
}

func motion(
  _ name: String, _ dependencies: Target.Dependency..., mayImport: [String] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Motion/\(name)",
    swiftSettings: settings)
}

func tool(_ name: String, _ dependencies: Target.Dependency..., mayImport: [String] = []) -> Target
{
  .target(
    name: name, dependencies: dependencies, path: "Sources/Tool/\(name)", swiftSettings: strict)
}

/// The executable of the group Tool.
func command(
  _ name: String, _ dependencies: Target.Dependency..., mayImport: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Tool/\(name)", swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: Target.Dependency..., exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: strict)
}

/// A small program that shows one thing; built with everything else, and no product.
func example(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["Terminal"], path: "Examples/\(name)",
    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
}

let package = Package(
  name: "otolith",
  products: [
    .library(name: "BusTesting", targets: ["BusTesting"]),
    .library(name: "CoreMotion", targets: ["CoreMotion"]),
    .library(name: "CoreMotionTesting", targets: ["CoreMotionTesting"]),
    .library(name: "Otolith", targets: ["Otolith"]),
    // What programs that build on more than motion import by the names of these modules.
    .library(
      name: "OtolithBoards",
      targets: [
        "Boards", "Simulation", "BusTraces", "MotionSources", "Runtime", "Sampling", "Recordings",
      ]),
    .library(
      name: "OtolithDrivers", targets: ["LinuxBus", "LinuxSystem", "ChipCatalog", "Sampling"]),
    .library(name: "OtolithHistory", targets: ["History"]),
    // The portable core, for microcontrollers too.
    .library(
      name: "OtolithCore",
      targets: [
        "Quantities", "Registers", "Sensors", "Chips", "Redundancy", "Fusion", "Recognition",
      ]),
    .executable(name: "otolith", targets: ["OtolithCommand"]),
  ],
  traits: [
    .trait(
      name: "Client",
      description:
        "Core Motion and Otolith above the portable core, with the motion of the machine's service."
    ),
    .trait(
      name: "Host",
      description:
        "That, and boards of the program's own: chips, simulation, recordings; board files (Yams)."),
    .trait(
      name: "History",
      description: "That, and steps and activities of past days, kept in SQLite."),
    .trait(
      name: "Tool",
      description:
        "That, and the command otolith (swift-argument-parser, SwiftNIO)."),
    .trait(
      name: "SinglePrecision",
      description: "The portable modules compute with Float; the others do not compile then."),
    .default(enabledTraits: ["Tool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // The portable core, from wire to attitude.
    headers("CMath", in: "Core"),
    core("Quantities", "CMath"),
    core("Registers", "Quantities"),
    core("Sensors", "Registers", "Quantities"),
    core("Chips", "Sensors", "Registers", "Quantities"),
    core("Redundancy", "Quantities"),
    core("Fusion", "CMath", "Quantities"),
    core("Recognition", "CMath", "Quantities"),
    // Texts that are written and words that were meant.
    host("Text"),
    // The chips with their models, and buses for them to sit on.
    host("BusTesting", "Registers", "Quantities"),
    host("ChipCatalog", "Text", "Chips", "Sensors", "Registers", "Quantities"),
    host("Sampling", "Sensors", "Registers", "Quantities"),
    // Linux.
    c("CLinux", in: "Host", linking: "i2c", "gpiod"),
    host(
      "LinuxSystem", "CLinux", "Quantities", other("SystemPackage", of: "swift-system"),
      mayImport: ["Glibc"]),
    host(
      "LinuxBus", "Text", "LinuxSystem", "CLinux", "Registers", "Quantities",
      other("SystemPackage", of: "swift-system"),
      mayImport: ["Glibc"]),
    // Sensors that drivers of the kernel read.
    host(
      "KernelSensors", "LinuxBus", "LinuxSystem", "Sensors", "Registers", "Quantities",
      other("SystemPackage", of: "swift-system"), mayImport: ["Glibc"]),
    // What is kept in files.
    host(
      "Recordings", "Text", "Quantities", other("SystemPackage", of: "swift-system"),
      mayImport: ["Glibc"]),
    headers("CSQLite", in: "Host"),
    host(
      "History", own("CSQLite", trait: "History"), "Recognition", "Quantities",
      other("SystemPackage", of: "swift-system"), mayImport: ["Foundation", "Glibc"]),
    // Built in by C: 118 kB of bytes took the Swift compiler 16 s.
    c("CShippedFiles", in: "Host", exclude: ["Page"]),
    host("ShippedFiles", "CShippedFiles"),
    // Models of chips on a bus of their own, and what was recorded of a bus.
    host(
      "Simulation", "Recordings", "ChipCatalog", "Recognition", "Sensors", "Registers",
      "Quantities", "CMath"),
    host("BusTraces", "Recordings", "ChipCatalog", "Sensors", "Registers", "Quantities"),
    // Boards described in files, simulated, or played back from a trace.
    host(
      "Boards", "Text", "ShippedFiles", "Simulation", "BusTraces", "Recordings", "KernelSensors",
      "ChipCatalog",
      "Recognition",
      "Fusion", "Sensors", "Registers", "Quantities", "CMath",
      other("Yams", of: "Yams", trait: "Host"), mayImport: ["Foundation"]),
    // From samples to motion, in this process or through the service.
    motion(
      "Runtime", "LinuxSystem", "LinuxBus", own("Boards", trait: "Host"),
      own("Recordings", trait: "Host"), "Recognition", "Fusion", "Redundancy", "Sensors",
      "Registers", "Quantities", other("Logging", of: "swift-log"),
      mayImport: ["Foundation", "Glibc"]),
    motion(
      "MotionSources", "Text", "Runtime", "Sampling", "LinuxSystem", "LinuxBus", "KernelSensors",
      "Simulation",
      "BusTraces",
      "Boards", "Recordings", "ChipCatalog",
      "Recognition",
      "Fusion", "Redundancy", "Sensors", "Registers", "Quantities",
      other("Logging", of: "swift-log"), mayImport: ["Foundation", "Glibc"]),
    motion(
      "Service", "History", "Runtime", "LinuxSystem", "Fusion", "Redundancy", "Recognition",
      "Sensors", "Registers",
      "Quantities",
      other("Logging", of: "swift-log"), mayImport: ["Foundation", "Glibc"]),
    motion(
      "Otolith", "Service", own("MotionSources", trait: "Host"), "Runtime", "History",
      own("Boards", trait: "Host"), "LinuxSystem", "Recognition", "Fusion", "Sensors", "Quantities",
      other("Logging", of: "swift-log"),
      mayImport: ["Foundation"]),
    headers("CoreMotionSubmodules", in: "Motion"),
    // Beside Otolith what Otolith exports: incremental builds follow only what is written here.
    motion(
      "CoreMotion", "CoreMotionSubmodules", "Otolith", "Service", "Runtime", "History",
      "Recognition", "Fusion", "Quantities", mayImport: ["Foundation"], settings: facade),
    motion("CoreMotionTesting", "CoreMotion", "Otolith", "Fusion", "Quantities"),
    // The service's side of the socket; no program but the command carries it.
    tool(
      "MotionServer", "Service", "Runtime", "LinuxSystem", "Quantities",
      other("Logging", of: "swift-log"), mayImport: ["Foundation", "Glibc"]),
    // For the bench: boards served to other programs, looked into and checked.
    tool(
      "SimulatedBuses", "MotionSources", "Runtime", "LinuxSystem", "CLinux", "Simulation", "Boards",
      "ChipCatalog",
      "Registers", "Quantities",
      other("SystemPackage", of: "swift-system"), mayImport: ["Foundation", "Glibc"]),
    tool(
      "BringUp", "Text", "MotionSources", "Runtime", "Sampling", "LinuxSystem", "LinuxBus",
      "KernelSensors", "Simulation", "Recordings",
      "BusTraces", "Boards", "ChipCatalog",
      "Fusion", "Sensors", "Registers", "Quantities",
      "CMath",
      mayImport: ["Foundation"]),
    tool(
      "Publishing", "Text", "LinuxSystem", "Recognition", "Quantities",
      mayImport: ["Foundation", "Glibc"]),
    // Over HTTP: a server of one thread, and what it serves.
    tool(
      "WebServer", "LinuxSystem", "Quantities", other("NIOCore", of: "swift-nio", trait: "Tool"),
      other("NIOPosix", of: "swift-nio", trait: "Tool"),
      other("NIOHTTP1", of: "swift-nio", trait: "Tool"),
      other("NIOWebSocket", of: "swift-nio", trait: "Tool"),
      mayImport: ["Dispatch", "Foundation", "Glibc"]),
    tool(
      "MotionViews", "Text", "Recordings", "Recognition", "Fusion", "Quantities",
      mayImport: ["Foundation"]),
    // What commands print and write, and what they read of a running source.
    tool(
      "CommandOutput", "Text", "Otolith", "MotionSources", "Runtime", "Boards", "Recordings",
      "ChipCatalog", mayImport: ["Foundation"]),
    tool(
      "SourceReading", "CommandOutput", "MotionViews", "Otolith", "MotionSources", "Runtime",
      "LinuxSystem", "Boards", "Recordings", "Recognition", "Fusion", "Sensors",
      mayImport: ["Foundation"]),
    // What monitor, record, publish, calibrate and serve do, without their arguments.
    tool(
      "MotionMonitor", "SourceReading", "CommandOutput", "MotionViews", "Otolith",
      "LinuxSystem", mayImport: ["Foundation"]),
    tool(
      "MotionRecorder", "SourceReading", "CommandOutput", "Otolith", "MotionSources", "Runtime",
      "LinuxSystem", "Recordings", mayImport: ["Foundation"]),
    tool(
      "MotionPublisher", "SourceReading", "CommandOutput", "Publishing", "Text", "Otolith",
      "Runtime", "LinuxSystem", "Recordings", "Recognition", "Fusion", "Sensors"),
    tool(
      "BoardCalibration", "Text", "CommandOutput", "BringUp", "Otolith", "Runtime",
      "Simulation", "Boards", "Recordings", "ChipCatalog", "Fusion", "Sensors", "Registers",
      mayImport: ["Foundation"]),
    tool(
      "MotionPage", "BoardCalibration", "SourceReading", "CommandOutput", "BringUp", "Otolith",
      "MotionServer", "MotionViews", "WebServer", "ShippedFiles", "MotionSources", "Runtime",
      "LinuxSystem", "Simulation", "Boards", "Recordings", "ChipCatalog", "Text", "Fusion",
      "Sensors",
      mayImport: ["Foundation"]),
    // The tool: its commands for a new board and the options that all of them share, and those of
    // motion. Two modules, since a compiler process of one takes 814 MB.
    tool(
      "BoardCommands", "Text", "BoardCalibration", "SourceReading", "CommandOutput", "Otolith",
      "BringUp",
      "SimulatedBuses", "MotionSources", "Runtime",
      "LinuxSystem", "LinuxBus", "KernelSensors", "Simulation", "BusTraces", "Boards", "Recordings",
      "ChipCatalog",
      "Fusion", "Sensors", "Registers", "Quantities",
      other("ArgumentParser", of: "swift-argument-parser", trait: "Tool"),
      mayImport: ["Foundation"]),
    command(
      "OtolithCommand", "Text", "BoardCommands", "MotionPage", "MotionMonitor", "MotionRecorder",
      "MotionPublisher", "SourceReading", "CommandOutput", "Otolith", "MotionServer", "Service",
      "MotionSources", "Runtime", "LinuxSystem", "History", "Boards", "Recordings",
      "Publishing", "MotionViews", "WebServer", "Recognition", "Fusion", "Sensors",
      other("ArgumentParser", of: "swift-argument-parser", trait: "Tool"),
      other("Logging", of: "swift-log"),
      mayImport: ["Foundation"]),
    // Examples, and the screen that they draw on.
    .target(name: "Terminal", path: "Examples/Terminal", swiftSettings: strict),
    example("AccelerometerPush", "CoreMotion"),
    example("GyroPull", "CoreMotion"),
    example("DeviceMotion", "CoreMotion"),
    example("CompassHeading", "CoreMotion"),
    example("SpiritLevel", "CoreMotion"),
    example("RollingBall", "CoreMotion"),
    example("Parallax", "CoreMotion"),
    example("StepCounter", "CoreMotion"),
    example("ActivityMonitor", "CoreMotion"),
    example("Altimeter", "CoreMotion"),
    example("Shake", "CoreMotion", "Otolith"),
    example("JointAngle", "Otolith"),
    // Tests.
    // What a sample costs, beside the C programs of the virtual bench; no product.
    .executableTarget(
      name: "OtolithCost",
      dependencies: [
        "MotionSources", "Runtime", "Sampling", "Simulation", "Boards", "ChipCatalog",
        "LinuxSystem", "Sensors",
        "Registers", "Quantities",
      ], path: "Tests/VirtualBench/ReadOtolith", swiftSettings: strict),
    // What an update of the fusion engine costs, beside VQF; no product.
    .executableTarget(
      name: "FusionCost", dependencies: ["CAllocationCounter", "Fusion", "Quantities"],
      path: "Benchmarks/FusionCost", swiftSettings: strict),
    // What the fusion engine makes of simulated worlds, beside VQF; no product.
    .executableTarget(
      name: "FusionWorlds",
      dependencies: ["MotionSources", "Runtime", "ChipCatalog", "Fusion", "Sensors", "Quantities"],
      path: "Benchmarks/FusionWorlds", swiftSettings: strict),
    // What several unlike sensors make as one, with each fault; no product.
    .executableTarget(
      name: "RedundancyWorlds", dependencies: ["Redundancy", "Fusion", "Quantities"],
      path: "Benchmarks/RedundancyWorlds", swiftSettings: strict),
    // What each mechanism of the fusion engine brings, source by source; no product.
    .executableTarget(
      name: "FusionAblation", dependencies: ["Recordings", "Fusion", "Quantities"],
      path: "Benchmarks/FusionAblation", swiftSettings: strict),
    // What a microcontroller is compared with; no product.
    .executableTarget(
      name: "EmbeddedReference",
      dependencies: [
        "MotionSources", "Runtime", "Sampling", "Simulation", "BusTraces", "Boards", "ChipCatalog",
        "Fusion",
        "Recognition", "Sensors", "Registers", "Quantities",
      ], path: "Tests/Embedded/Reference", swiftSettings: [.swiftLanguageMode(.v6)]),
    // What it costs to deliver device motion to managers, beside a plain loop; no product.
    .executableTarget(
      name: "DeliveryCost",
      dependencies: [
        "CoreMotion", "Otolith", "MotionSources", "Runtime", "Sampling", "Recordings", "History",
        "Boards",
        "ChipCatalog", "Recognition", "Fusion", "Sensors", "Quantities",
      ], path: "Benchmarks/DeliveryCost", swiftSettings: strict),
    // What a week of history costs to keep and to ask; no product.
    .executableTarget(
      name: "HistoryCost", dependencies: ["History", "Recognition", "Quantities"],
      path: "Benchmarks/HistoryCost", swiftSettings: strict),
    // What publishers cost, and what a broker's outages cost them; no product.
    .executableTarget(
      name: "PublishLoad", dependencies: ["Text", "Publishing", "LinuxSystem", "Quantities"],
      path: "Benchmarks/PublishLoad", swiftSettings: strict),
    // What the service costs, and what it bears; no product.
    .executableTarget(
      name: "ServiceCost",
      dependencies: [
        "ServedSources", "Otolith", "MotionServer", "Service", "Runtime", "LinuxSystem",
        "MotionSources", "Sampling", "Recordings", "History", "Boards",
        "ChipCatalog", "Recognition", "Fusion", "Sensors", "Registers",
        "Quantities",
      ], path: "Benchmarks/ServiceCost", swiftSettings: strict),
    // Threads at odds, for Thread Sanitizer; no product.
    .executableTarget(
      name: "ThreadChurn",
      dependencies: [
        "SeededRandom", "CoreMotion", "Otolith", "MotionSources", "Runtime", "Sampling",
        "Recordings", "Boards",
        "ChipCatalog",
        "Fusion", "Sensors", "Quantities",
      ], path: "Tests/ThreadChurn", swiftSettings: strict),
    // Sources that tests give to hubs: as they are, or through a service.
    .target(
      name: "ServedSources",
      dependencies: [
        "SeededRandom", "Otolith", "MotionServer", "Service", "MotionSources", "Runtime",
        "LinuxSystem", "Boards",
      ], path: "Tests/ServedSources", swiftSettings: strict),
    // Stopped and killed by the tests, or somebody else than they are; no product.
    .executableTarget(
      name: "ServiceVictim",
      dependencies: [
        "ServedSources", "CoreMotion", "Otolith", "MotionServer", "Service",
        "MotionSources", "Runtime", "Sampling", "LinuxSystem", "Boards",
        "ChipCatalog", "Recognition", "Fusion", "History", "Sensors", "Quantities",
        other("SystemPackage", of: "swift-system"),
      ], path: "Tests/ServiceTests/Victim", swiftSettings: strict),
    tests(
      "ServiceTests", "ServiceVictim", "ServedSources", "CoreMotion", "Otolith",
      "MotionServer", "Service",
      "MotionSources", "Runtime", "Sampling", "LinuxSystem", "Boards",
      "ChipCatalog", "Fusion", "Redundancy", "Recognition", "History", "Sensors", "Registers",
      "Quantities", other("SystemPackage", of: "swift-system"),
      exclude: ["Victim", "client.py"]),
    tests(
      "SimulatedBusesTests", "SeededRandom", "SimulatedBuses", "ChipCatalog", "Runtime",
      "CAllocationCounter",
      "MotionSources", "Simulation", "Boards", "LinuxSystem", "LinuxBus", "Registers", "Quantities",
      other("SystemPackage", of: "swift-system")),
    // Killed at random moments by the tests; no product.
    .executableTarget(
      name: "HistoryVictim", dependencies: ["History", "Recognition", "Quantities"],
      path: "Tests/HistoryTests/Victim", swiftSettings: strict),
    .testTarget(
      name: "HistoryTests",
      dependencies: ["FailingCalls", "History", "HistoryVictim", "Recognition", "Quantities"],
      exclude: ["Victim"], resources: [.copy("Movement/version-1.sql")], swiftSettings: strict),
    tests(
      "BringUpTests", "SeededRandom", "BringUp", "MotionSources", "Runtime", "Simulation", "Boards",
      "ChipCatalog", "Sampling", "Sensors", "Registers",
      "Quantities", resources: [.copy("Snapshots")]),
    tests("SensorsTests", "Sensors", "Quantities"),
    tests(
      "RecognitionTests", "SeededRandom", "CAllocationCounter", "Recognition", "Quantities",
      resources: [.copy("Recordings")]),
    tests(
      "SamplingTests", "Runtime", "Sampling", "Simulation", "Boards", "ChipCatalog",
      "Sensors", "Registers", "Quantities"),
    tests("QuantitiesTests", "Quantities"),
    tests("TextTests", "Text"),
    tests(
      "ConformanceTests", "CAllocationCounter", "BringUp", "Simulation", "Boards", "ChipCatalog",
      "Chips", "Runtime",
      "Sampling", "Sensors", "Registers", "Quantities"),
    tests("FusionTests", "SeededRandom", "Fusion", "Quantities", resources: [.copy("Recordings")]),
    tests(
      "RedundancyTests", "SeededRandom", "CAllocationCounter", "Redundancy", "Fusion",
      "Quantities"),
    // Apart from FusionTests, since they are quick where a processor is emulated.
    tests("GeomagnetismTests", "SeededRandom", "CAllocationCounter", "Fusion", "Quantities"),
    tests("SensorCalibrationTests", "SeededRandom", "Fusion", "Quantities"),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    // Loaded into processes that tests start, so that their calls on files fail.
    .target(
      name: "FailingCalls", path: "Tests/FailingCalls", exclude: ["failing-calls.c"],
      swiftSettings: strict),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
    tests(
      "AllocationTests", "CAllocationCounter", "CoreMotion", "Otolith", "MotionSources", "Runtime",
      "Simulation", "Boards",
      "ChipCatalog", "Sampling", "Quantities"),
    // Apart from BoardsTests, whose look into the reader of files cannot be compiled optimised.
    tests(
      "BusTracesTests", "CAllocationCounter", "BringUp", "MotionSources", "Runtime", "Sampling",
      "Simulation", "BusTraces", "Boards", "Recordings", "ChipCatalog", "Sensors", "Registers",
      "Quantities"),
    tests(
      "BoardsTests", "SeededRandom", "Text", "BringUp", "Simulation", "Boards", "Recordings",
      "ChipCatalog",
      "Fusion",
      "Sensors", "Registers", "Quantities",
      resources: [.copy("Broken"), .copy("Snapshots")]),
    // A folder a chip, of driver and model.
    tests(
      "ChipsTests", "CAllocationCounter", "BusTesting", "MotionSources", "Runtime", "Simulation",
      "Boards",
      "Sampling", "ChipCatalog", "Chips", "Sensors", "Registers",
      "Quantities", resources: [.copy("BMP280/Vectors")]),
    .target(name: "CLinuxBusTestSupport", path: "Tests/CLinuxBusTestSupport"),
    // Excluded: a check of the C shim against both generations of libgpiod, for CI.
    .testTarget(
      name: "LinuxBusTests",
      dependencies: [
        "LinuxSystem", "LinuxBus", "CLinux", "CLinuxBusTestSupport", "Registers", "Quantities",
        other("SystemPackage", of: "swift-system"),
      ],
      exclude: ["build-over-libgpiod", "check-libgpiod-2.sh", "check-libgpiod.c"],
      swiftSettings: strict),
    tests(
      "KernelSensorsTests", "MotionSources", "Boards", "ChipCatalog", "KernelSensors",
      "LinuxSystem", "Sensors", "Registers", "Quantities",
      other("SystemPackage", of: "swift-system")),
    tests("LinuxSystemTests", "LinuxSystem", "CLinuxBusTestSupport", "Quantities"),
    tests(
      "RuntimeTests", "SeededRandom", "BringUp", "MotionSources", "Runtime", "Sampling",
      "Simulation", "Boards",
      "ChipCatalog", "LinuxSystem", "LinuxBus", "Fusion", "Redundancy", "Sensors", "Registers",
      "Quantities"),
    // On the device nodes of the virtual bench; elsewhere they are skipped.
    tests(
      "KernelBenchTests", "AccelerometerPush", "GyroPull", "DeviceMotion", "CoreMotion", "Otolith",
      "MotionSources", "Runtime", "Boards",
      "ChipCatalog", "LinuxSystem", "LinuxBus",
      "CLinux", "Sampling",
      "Sensors",
      "Registers", "Quantities"),
    // Beside Otolith what Otolith exports, as above.
    tests(
      "OtolithTests", "ServedSources", "Otolith", "Service", "MotionSources", "Runtime",
      "LinuxSystem", "Sampling",
      "Recordings", "History", "Simulation", "Boards", "ChipCatalog", "Recognition", "Fusion",
      "SimulatedBuses", "Sensors", "Registers",
      "Quantities", other("Logging", of: "swift-log")),
    tests(
      "CoreMotionTests", "ServedSources", "CAllocationCounter", "CoreMotionTesting", "CoreMotion",
      "Otolith", "MotionServer", "Service",
      "MotionSources", "Runtime", "LinuxSystem", "LinuxBus",
      "Sampling", "History", "Boards", "ChipCatalog", "Recognition", "Fusion", "Sensors",
      "Registers",
      "Quantities",
      exclude: ["symbols.txt"], resources: [.copy("Recordings")]),
    tests("CoreMotionTestingTests", "CoreMotionTesting", "CoreMotion"),
    // The executable is among the dependencies so that it is built; nothing is imported from it.
    tests("OtolithCommandTests", "FailingCalls", "SeededRandom", "OtolithCommand"),
    tests(
      "RecordingsTests", "SeededRandom", "Recordings", "Quantities",
      other("SystemPackage", of: "swift-system")),
    tests(
      "RegistersTests", "Registers", "ChipCatalog", "BusTesting", "Chips", "Quantities"),
    // Blocks, 16-bit registers and banks, of chips that there are not.
    tests(
      "WideBusTests", "SimulatedBuses", "BusTesting", "ChipCatalog",
      "Chips",
      "Simulation", "BusTraces", "Boards", "Sensors", "Registers", "Quantities"),
    tests(
      "PublishingTests", "Publishing", "MotionPublisher", "MotionSources", "Runtime", "Boards",
      "ChipCatalog", "Text", "Quantities", "SeededRandom"),
    // On channels without sockets, which NIO has for tests.
    tests(
      "WebServerTests", "SeededRandom", "WebServer", "LinuxSystem", "Quantities",
      other("NIOCore", of: "swift-nio", trait: "Tool"),
      other("NIOEmbedded", of: "swift-nio", trait: "Tool")),
    tests(
      "MotionViewsTests", "Text", "MotionViews", "ShippedFiles", "Recordings", "Recognition",
      "Fusion", "Quantities"),
  ]
)

// What bytes from outside meet, for libFuzzer, which brings the main function: `make fuzz` alone.
if Context.environment["OTOLITH_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "BringUp", "SimulatedBuses", "Service", "MotionSources", "Runtime", "LinuxSystem",
        "Sampling",
        "History",
        "Simulation", "BusTraces", "Boards", "WebServer", "MotionViews", "Recordings",
        "ChipCatalog",
        "Sensors",
        "Registers", "Quantities",
        other("NIOCore", of: "swift-nio", trait: "Tool"),
        other("NIOEmbedded", of: "swift-nio", trait: "Tool"),
      ], path: "Tests/Fuzzing", exclude: ["corpus"],
      swiftSettings: [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]))
}

// In a package, what prints is compiled for its size: nothing waits for it, and its code is a
// twelfth of the program's.
if Context.environment["OTOLITH_PACKAGE"] != nil {
  let printing = [
    "BringUp", "MotionViews", "CommandOutput", "BoardCalibration", "BoardCommands",
    "OtolithCommand",
  ]
  for target in package.targets where printing.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Osize"]))
  }
}

// Tests need none of the programs that show or measure something: minutes less to build. Which tests are
// built is a list of targets; "all" stands for all, "unit" for those that need neither optimisation nor
// the virtual bench.
if let alone = Context.environment["OTOLITH_TESTS_ALONE"] {
  let needed =
    ["OtolithCommand", "HistoryVictim", "ServiceVictim"]
    + (alone == "all" || alone.contains("KernelBenchTests")
      ? ["AccelerometerPush", "GyroPull", "DeviceMotion"] : [])
  package.targets.removeAll { $0.type == .executable && !needed.contains($0.name) }
  let named = alone.split(separator: " ").map(String.init)
  switch alone {
  case "all": break
  case "unit":
    package.targets.removeAll { ["ConformanceTests", "KernelBenchTests"].contains($0.name) }
  default:
    package.targets.removeAll { $0.type == .test && !named.contains($0.name) }
    // Under a name that there is not, so that SwiftPM says so.
    for name in named where !package.targets.contains(where: { $0.name == name }) {
      package.targets.append(.testTarget(name: name, path: "Tests/\(name)"))
    }
  }
}

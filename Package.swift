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
]

/// The portable core compiles unchanged for Linux and, in Embedded Swift, for microcontrollers.
let portable = strict + [.treatWarning("EmbeddedRestrictions", as: .error)]

func core(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: portable)
}

func host(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "otolith",
  products: [],
  dependencies: [
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1")
  ],
  targets: [
    // The portable core, from wire to attitude.
    .target(name: "CMath"),
    core("Quantities", "CMath"),
    core("Buses", "Quantities"),
    core("Registers", "Buses", "Quantities"),
    core("Sensors", "Registers", "Buses", "Quantities"),
    // The host: Linux, models of the chips, boards, streams.
    host("ChipCatalog", "Sensors", "Registers", "Quantities"),
    host("Recordings", "Quantities", .product(name: "SystemPackage", package: "swift-system")),
    tests("RecordingsTests", "Recordings", "Quantities"),
  ]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// As the otolith's own portable targets are held.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableExperimentalFeature("Embedded"),
]

let package = Package(
  name: "Microcontroller",
  products: [
    // Linked by arm-none-eabi-gcc, see Makefile: a library with an entry, not a program.
    .library(name: "Firmware", type: .static, targets: ["Firmware"]),
    .library(name: "BoardSupport", targets: ["Board", "Recording", "Startup"]),
  ],
  traits: [
    .trait(
      name: "SinglePrecision",
      description: "Computes in single precision, which a Cortex-M4F has in hardware.")
  ],
  dependencies: [
    // No traits: none of the packages is fetched that otolith needs on Linux.
    .package(
      name: "otolith", path: "../..",
      traits: [.trait(name: "SinglePrecision", condition: .when(traits: ["SinglePrecision"]))])
  ],
  targets: [
    .target(name: "Startup"),
    .target(
      name: "Board",
      dependencies: ["Startup", .product(name: "OtolithCore", package: "otolith")],
      swiftSettings: settings),
    .target(
      name: "Recording", dependencies: [.product(name: "OtolithCore", package: "otolith")],
      swiftSettings: settings),
    .target(
      name: "Firmware",
      dependencies: [
        "Board", "Recording", "Startup", .product(name: "OtolithCore", package: "otolith"),
      ], swiftSettings: settings),
  ])

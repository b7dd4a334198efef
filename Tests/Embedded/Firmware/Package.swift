// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableExperimentalFeature("Embedded"),
]

let package = Package(
  name: "EmbeddedTests",
  products: [
    // One archive each; programs link only what they use.
    .library(name: "Playback", type: .static, targets: ["Playback"]),
    .library(name: "Sizes", type: .static, targets: ["Sizes"]),
  ],
  traits: [.trait(name: "SinglePrecision", description: "Everything in single precision.")],
  dependencies: [
    .package(
      name: "otolith", path: "../../..",
      traits: [.trait(name: "SinglePrecision", condition: .when(traits: ["SinglePrecision"]))]),
    .package(
      name: "Microcontroller", path: "../../../Examples/Microcontroller",
      traits: [.trait(name: "SinglePrecision", condition: .when(traits: ["SinglePrecision"]))]),
  ],
  targets: [
    .target(
      name: "Playback",
      dependencies: [
        .product(name: "BoardSupport", package: "Microcontroller"),
        .product(name: "OtolithCore", package: "otolith"),
      ], swiftSettings: settings),
    .target(
      name: "Sizes",
      dependencies: [
        .product(name: "BoardSupport", package: "Microcontroller"),
        .product(name: "OtolithCore", package: "otolith"),
      ], swiftSettings: settings),
  ])

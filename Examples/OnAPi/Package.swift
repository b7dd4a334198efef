// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An app of one's own, built on a laptop for a Raspberry Pi: docs/cross-building.md.
let package = Package(
  name: "OnAPi",
  dependencies: [.package(name: "otolith", path: "../..", traits: ["Host"])],  // or the URL
  targets: [
    .executableTarget(
      name: "Tilt", dependencies: [.product(name: "CoreMotion", package: "otolith")])
  ]
)

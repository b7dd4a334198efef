// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A program that uses only the portable core. `traits: []` turns off what other products need, so
// that SwiftPM fetches no other package; check-consumer tests this.
let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "otolith", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [.product(name: "OtolithCore", package: "otolith")],
      swiftSettings: [
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
      ])
  ]
)

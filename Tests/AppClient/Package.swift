// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An app as the README describes it: Core Motion without the history and without the tool, or only
// with the service's board. `check` tests that no other package is fetched for these.
let trait = Context.environment["APP_TRAIT"] ?? "Host"

let package = Package(
  name: "App",
  dependencies: [.package(name: "otolith", path: "../..", traits: [.init(name: trait)])],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "CoreMotion", package: "otolith")],
      swiftSettings: [
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
      ])
  ]
)

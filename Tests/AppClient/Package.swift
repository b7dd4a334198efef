// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An app as README describes it: Core Motion without the history of past days, and without the tool, or with the
// service's board alone; `check` sees to it that nothing is fetched for these.
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

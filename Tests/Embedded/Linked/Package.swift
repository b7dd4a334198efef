// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A firmware that instantiates every driver and estimator, for check-targets, because requirements
// of generic code appear only then. It is a static library, because the linker is that of the
// target's toolchain.
let package = Package(
  name: "Linked",
  products: [.library(name: "Linked", type: .static, targets: ["Linked"])],
  dependencies: [.package(name: "otolith", path: "../../..", traits: [])],
  targets: [
    .target(name: "CBoard"),
    .target(
      name: "Linked",
      dependencies: ["CBoard", .product(name: "OtolithCore", package: "otolith")],
      swiftSettings: [
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
      ]),
  ]
)

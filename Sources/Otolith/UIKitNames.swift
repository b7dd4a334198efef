// SPDX-License-Identifier: Apache-2.0

// UIKit's names of what is here under other names, for programs that are ported. A module named
// UIKit there is not: packages that ask `#if canImport(UIKit)` would take this for it.

public typealias UIDevice = MotionDevice
public typealias UIDeviceOrientation = DeviceOrientation

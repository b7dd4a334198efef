// SPDX-License-Identifier: Apache-2.0

// UIKit's names of the types here, for programs that are ported. There is no module named UIKit:
// packages that ask `#if canImport(UIKit)` would take this for it.

public typealias UIDevice = MotionDevice
public typealias UIDeviceOrientation = DeviceOrientation

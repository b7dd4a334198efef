// SPDX-License-Identifier: Apache-2.0

// UIKit's names for these types, for ported programs. There is no module named UIKit, because
// packages that test `#if canImport(UIKit)` would take it for the real one.

public typealias UIDevice = MotionDevice
public typealias UIDeviceOrientation = DeviceOrientation

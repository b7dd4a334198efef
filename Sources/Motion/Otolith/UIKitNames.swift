// SPDX-License-Identifier: Apache-2.0

// UIKit's names for these types, for ported programs. There is no module called UIKit, because
// packages that test `#if canImport(UIKit)` would mistake it for Apple's module.

public typealias UIDevice = MotionDevice
public typealias UIDeviceOrientation = DeviceOrientation

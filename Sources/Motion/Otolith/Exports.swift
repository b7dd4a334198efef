// SPDX-License-Identifier: Apache-2.0

// `import Otolith` also imports these names, which a program needs to request motion. Boards,
// drivers, fusion and history need separate imports. Quantities is exported as a whole, because a
// type that is exported alone lacks its operators.
@_exported public import enum Fusion.MagneticAccuracy
@_exported public import struct Fusion.MotionSample
@_exported public import enum Fusion.ReferenceFrame
@_exported public import struct History.HistoryError
@_exported public import struct History.MovementStore
@_exported public import struct History.SampleStore
@_exported public import Quantities
@_exported public import enum Recognition.ActivityConfidence
@_exported public import struct Recognition.ActivityEstimate
@_exported public import struct Recognition.ActivitySet
@_exported public import enum Recognition.DeviceOrientation
@_exported public import enum Recognition.ShakePhase
@_exported public import struct Recognition.Step
@_exported public import struct Recognition.WalkingEvent
@_exported public import struct Runtime.CalibrationState
@_exported public import enum Runtime.ChipState
@_exported public import protocol Runtime.MotionSource
@_exported public import struct Runtime.SampleDemand
@_exported public import class Runtime.ScriptedSource
@_exported public import enum Runtime.SessionError
@_exported public import struct Runtime.SourcedDetection
@_exported public import struct Runtime.SourcedSample
// With these names a program selects the service's board by the path of its socket.
@_exported public import struct Service.ServicePlace
@_exported public import class Service.ServiceSource
#if Host || History || Tool
  @_exported public import struct MotionSources.BoardSelection
  @_exported public import class MotionSources.RecordingSource
#endif

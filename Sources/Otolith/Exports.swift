// SPDX-License-Identifier: Apache-2.0

// `import Otolith` is all that a robot's program needs: quantities, boards, sessions and fusion
// come with it.
@_exported public import Boards
@_exported public import ChipCatalog
@_exported public import Fusion
@_exported public import Geomagnetism
@_exported public import History
@_exported public import Quantities
@_exported public import Recognition
@_exported public import Recordings
// What a program's own `MotionSource` needs of the registers' module.
@_exported public import enum Registers.ChipError
@_exported public import Runtime
@_exported public import Sampling
@_exported public import Sensors
// So that a program can choose the service's board by its path.
@_exported public import Service

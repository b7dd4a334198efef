// SPDX-License-Identifier: Apache-2.0

// On Apple's systems `import CoreMotion` also imports Foundation, and programs rely on it.
@_exported public import Foundation

// SPDX-License-Identifier: Apache-2.0

// On Apple's systems `import CoreMotion` brings Foundation along, and programs rely on it.
@_exported public import Foundation

// SPDX-License-Identifier: Apache-2.0

// Apple's CoreMotion also imports Foundation, and programs rely on that.
@_exported public import Foundation

// SPDX-License-Identifier: Apache-2.0

/// The version of otolith.
package enum Release {
  package static let version = "0.1.0"
}

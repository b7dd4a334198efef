// SPDX-License-Identifier: Apache-2.0

/// The version of this otolith release.
package enum Release {
  package static let version = "0.1.0"
}

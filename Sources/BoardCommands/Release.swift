// SPDX-License-Identifier: Apache-2.0

/// The release of otolith that this is.
package enum Release {
  package static let version = "0.1.0"
}

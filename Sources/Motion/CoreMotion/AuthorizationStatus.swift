// SPDX-License-Identifier: Apache-2.0
internal import Otolith

/// Returns the permission that every class reports: authorized once the sensors have been opened;
/// denied if the group of the device nodes does not contain this process; restricted while another
/// process or a kernel driver uses them; not determined before the first attempt.
package func currentAuthorization() -> CMAuthorizationStatus {
  switch MotionHub.shared.access {
  case .unknown: .notDetermined
  case .granted: .authorized
  case .denied: .denied
  case .taken: .restricted
  }
}

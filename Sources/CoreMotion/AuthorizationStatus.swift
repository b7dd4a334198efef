// SPDX-License-Identifier: Apache-2.0
internal import Otolith

/// Returns the permission that every class reports: authorized once the sensors have been opened,
/// denied where the device nodes belong to a group that this process is not in, restricted while
/// another process or a driver of the kernel has them, and not determined before the first attempt.
package func currentAuthorization() -> CMAuthorizationStatus {
  switch MotionHub.shared.access {
  case .unknown: .notDetermined
  case .granted: .authorized
  case .denied: .denied
  case .taken: .restricted
  }
}

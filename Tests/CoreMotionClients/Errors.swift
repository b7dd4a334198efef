// SPDX-License-Identifier: Apache-2.0
import CoreMotion

enum MotionFailure: Error {
  case denied, unsupported, other(NSError)
}

func failure(_ error: (any Error)?) -> MotionFailure? {
  guard let error = error else { return nil }
  if (error as NSError?)?.code == Int(CMErrorMotionActivityNotAuthorized.rawValue) {
    return .denied
  }
  let nsError = error as NSError
  guard nsError.domain == CMErrorDomain else { return .other(nsError) }
  switch CMError(rawValue: UInt32(nsError.code)) {
  case CMErrorNotAuthorized, CMErrorMotionActivityNotEntitled, CMErrorNotEntitled: return .denied
  case CMErrorMotionActivityNotAvailable, CMErrorNotAvailable: return .unsupported
  case CMErrorNULL, CMErrorUnknown, CMErrorInvalidParameter, CMErrorInvalidAction, CMErrorNilData,
    CMErrorSize, CMErrorDeviceRequiresMovement, CMErrorTrueNorthNotAvailable:
    return .other(nsError)
  default: return .other(nsError)
  }
}

func isDenied(_ error: any Error) -> Bool {
  if let error = error as? NSError, error.code == 105 { return true }
  return CMError(UInt32((error as NSError).code)) == CMErrorMotionActivityNotAuthorized
}

let names: [CMError: String] = [
  CMErrorDeviceRequiresMovement: "turn it", CMErrorTrueNorthNotAvailable: "no north",
]

func make() -> NSError {
  NSError(domain: CMErrorDomain, code: Int(CMErrorNotAvailable.rawValue), userInfo: nil)
}

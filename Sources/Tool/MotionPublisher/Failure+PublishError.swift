// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
package import Publishing

extension Failure {
  package init(_ error: PublishError) {
    let status =
      switch error {
      case .noLibrary, .unreachable: Self.unavailable
      case .address: Self.usage
      case .refused: Self.noPermission
      case .file: Self.cannotCreate
      }
    self.init(error.description, status)
  }
}

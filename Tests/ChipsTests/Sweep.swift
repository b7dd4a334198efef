// SPDX-License-Identifier: Apache-2.0
import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that takes seconds in a debug build: it runs only optimised, in `make test
  /// KIND=release`.
  static var sweep: Self {
    #if DEBUG
      .disabled("seconds in a debug build; make test KIND=release runs it")
    #else
      .enabled(if: true)
    #endif
  }
}

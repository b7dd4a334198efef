// SPDX-License-Identifier: Apache-2.0

extension MovementStore {
  /// Throws if the program was built without the database.
  package func checkSupport() throws(HistoryError) {
    #if !(History || Tool)
      throw HistoryError(
        .failed, path: path,
        reason: "this program stores none: add the trait History to otolith in its manifest")
    #endif
  }
}

// In a program that is built without the database, the compiler's message says what to do.
#if !(History || Tool)
  @available(*, unavailable, message: "name the trait History where the manifest names otolith")
  public typealias MovementReader = Never

  @available(*, unavailable, message: "name the trait History where the manifest names otolith")
  public typealias MovementWriter = Never

  extension MovementStore {
    @available(*, unavailable, message: "name the trait History where the manifest names otolith")
    public func erase() throws(HistoryError) {}
  }
#endif

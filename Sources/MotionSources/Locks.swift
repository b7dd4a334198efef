// SPDX-License-Identifier: Apache-2.0
#if THREAD_SANITIZER
  internal import Runtime

  /// See TracedMutex.swift.
  typealias Mutex<Value: ~Copyable> = TracedMutex<Value>
#endif

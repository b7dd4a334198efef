// SPDX-License-Identifier: Apache-2.0
#if THREAD_SANITIZER
  // Exported, so that the other files of this target and those above it need not know of it.
  @_exported public import LinuxBus

  /// See TracedMutex.swift.
  typealias Mutex<Value: ~Copyable> = TracedMutex<Value>
#endif

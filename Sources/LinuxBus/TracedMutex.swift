// SPDX-License-Identifier: Apache-2.0

// The lock of the standard library waits inside a library that is not instrumented, on a word that
// the kernel writes (a PI futex): Thread Sanitizer does not see who waited for whom, and reports
// races that are none. In its build, and in no other, every `Mutex` of this package is this one,
// whose pthread calls it intercepts. Each target that has locks says so in its Locks.swift.
#if THREAD_SANITIZER
  internal import Glibc

  /// A `Mutex` that Thread Sanitizer understands.
  @safe
  public struct TracedMutex<Value: ~Copyable>: ~Copyable {
    // Both owned by this alone, freed in deinit, and at a place that does not move, as pthread
    // wants it.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    public init(_ value: consuming sending Value) {
      // Initialised before any other thread can reach them.
      unsafe lock = .allocate(capacity: 1)
      unsafe pthread_mutex_init(lock, nil)
      unsafe self.value = .allocate(capacity: 1)
      unsafe self.value.initialize(to: value)
    }

    deinit {
      // No other thread holds them.
      unsafe pthread_mutex_destroy(lock)
      unsafe lock.deallocate()
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()  // as above
    }

    public borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      // The value is reached with the lock held, and only here.
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }  // as above
      return try unsafe body(&value.pointee)  // as above
    }
  }

  extension TracedMutex: @unchecked Sendable  // reached with the lock held
  where Value: ~Copyable {}

  typealias Mutex<Value: ~Copyable> = TracedMutex<Value>
#endif

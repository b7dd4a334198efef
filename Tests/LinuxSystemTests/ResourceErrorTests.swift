// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Testing

/// Error numbers are typed from asm-generic/errno.h.
@Suite struct ResourceErrorTests {
  @Test(
    arguments: [
      (
        ResourceError.Kind.thread, 11,  // EAGAIN
        "cannot start thread \"reader\": no thread or memory is left for it (errno 11); raise the "
          + "process's limits (ulimit -v and -u, in a unit LimitAS=, MemoryMax= and TasksMax=)"
      ),
      (.thread, 22, "cannot start thread \"reader\": errno 22"),  // EINVAL
      (
        .descriptor, 24,  // EMFILE
        "cannot open reader: too many files are open; raise the process's limit (ulimit -n 1024, "
          + "in a unit LimitNOFILE=)"
      ),
      (
        .descriptor, 23,  // ENFILE
        "cannot open reader: too many files are open; the system's limit is reached (sysctl "
          + "fs.file-max)"
      ),
      (.descriptor, 38, "cannot open reader: file descriptor, errno 38"),  // ENOSYS
    ] as [(ResourceError.Kind, Int32, String)])
  func `a missing resource is named with the limit to raise`(
    kind: ResourceError.Kind, errno: Int32, text: String
  ) {
    #expect(ResourceError(kind, "reader", errno: errno).description == text)
  }
}

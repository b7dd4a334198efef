// SPDX-License-Identifier: Apache-2.0
import Registers
import CLinux
import LinuxBus
import Synchronization
import Testing

@Suite struct SPITransportTests {
  struct Transfer: Equatable {
    var sent: [UInt8]?
    var receives: Bool
    var length: UInt32
    var speed: UInt32
    var bits: UInt8
    var selectChanges: UInt8
  }

  /// A simulated kernel that answers with 0, 1, 2...
  final class Kernel: SPIKernel {
    let frames = Mutex<[[Transfer]]>([])
    let results: Mutex<[Int32]>
    init(failing results: [Int32] = []) { self.results = Mutex(results) }

    func transfer(_ transfers: UnsafeMutableBufferPointer<spi_ioc_transfer>) -> Int32 {
      // The tested code keeps the buffers, which are passed as numbers, valid during the call.
      let frame = unsafe transfers.map { transfer in
        let sent = unsafe UnsafePointer<UInt8>(bitPattern: UInt(transfer.tx_buf)).map {
          unsafe Array(UnsafeBufferPointer(start: $0, count: Int(transfer.len)))
        }
        if let start = unsafe UnsafeMutablePointer<UInt8>(bitPattern: UInt(transfer.rx_buf)) {
          for i in 0..<Int(transfer.len) { unsafe start[i] = UInt8(truncatingIfNeeded: i) }
        }
        return Transfer(
          sent: sent, receives: transfer.rx_buf != 0, length: transfer.len,
          speed: transfer.speed_hz, bits: transfer.bits_per_word,
          selectChanges: transfer.cs_change)
      }
      frames.withLock { $0.append(frame) }
      return results.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
    }
  }

  func transport(_ kernel: Kernel) -> SPITransport<Kernel> {
    SPITransport(kernel, limit: 4096, speed: 10_000_000, bitsPerWord: 8)
  }

  func read(_ kernel: Kernel, count: Int, dummyBytes: Int) throws(BusError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    try transport(kernel).read(&span, after: 0x8C, dummyBytes: dummyBytes)
    return bytes
  }

  @Test func `a read is one frame of two transfers`() throws {
    let kernel = Kernel()
    #expect(try read(kernel, count: 6, dummyBytes: 0) == [0, 1, 2, 3, 4, 5])
    #expect(
      kernel.frames.withLock { $0 } == [
        [
          Transfer(
            sent: [0x8C], receives: false, length: 1, speed: 10_000_000, bits: 8,
            selectChanges: 0),
          Transfer(
            sent: nil, receives: true, length: 6, speed: 10_000_000, bits: 8, selectChanges: 0),
        ]
      ])
  }

  @Test func `dummy bytes follow the command as zeros`() throws {
    let kernel = Kernel()
    _ = try read(kernel, count: 2, dummyBytes: 1)
    #expect(kernel.frames.withLock { $0.first?.first?.sent } == [0x8C, 0x00])
    #expect(throws: BusError.unsupported) { _ = try read(kernel, count: 2, dummyBytes: 8) }
    #expect(throws: BusError.unsupported) { _ = try read(kernel, count: 2, dummyBytes: -1) }
  }

  @Test func `a write is one transfer`() throws {
    let kernel = Kernel()
    try transport(kernel).write([0x7E, 0xB6].span)
    #expect(
      kernel.frames.withLock { $0 } == [
        [
          Transfer(
            sent: [0x7E, 0xB6], receives: false, length: 2, speed: 10_000_000, bits: 8,
            selectChanges: 0)
        ]
      ])
  }

  @Test func `a transfer too long is refused, an interrupted one repeated`() throws {
    let kernel = Kernel(failing: [-4, -4])
    #expect(throws: BusError.tooLong(limit: 4096)) {
      _ = try read(kernel, count: 4097, dummyBytes: 0)
    }
    #expect(throws: BusError.tooLong(limit: 4096)) {
      try transport(kernel).write([UInt8](repeating: 0, count: 4097).span)
    }
    #expect(kernel.frames.withLock { $0.isEmpty })
    #expect(try read(kernel, count: 4096, dummyBytes: 0).count == 4096)
    #expect(kernel.frames.withLock { $0.count } == 3)
    #expect(throws: BusError.adapterGone) {
      _ = try read(Kernel(failing: [-108]), count: 1, dummyBytes: 0)
    }
  }
}

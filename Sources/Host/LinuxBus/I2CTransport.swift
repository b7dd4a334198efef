// SPDX-License-Identifier: Apache-2.0
package import Registers
internal import CLinux
internal import Synchronization

/// A transport that performs I2C transactions by system calls: one I2C_RDWR if the adapter supports
/// combined transactions, otherwise SMBus calls that transfer the same bytes on the wire.
package struct I2CTransport<Kernel: I2CKernel & ~Copyable>: ~Copyable, Sendable {
  package let kernel: Kernel
  package let functionality: I2CFunctionality
  /// The lock covers I2C_SLAVE and the SMBus call after it. No other transaction may come between
  /// these two system calls on one descriptor.
  private let selection = Mutex<Void>(())

  package init(_ kernel: consuming Kernel, _ functionality: I2CFunctionality) {
    self.kernel = kernel
    self.functionality = functionality
  }

  /// The longest I2C write in bytes, including the register; 0 if the adapter can send only single
  /// bytes.
  package var longestWrite: Int {
    if functionality.contains(.i2c) { return I2CLimits.message }
    if functionality.contains(.writeBlock) { return I2CLimits.block + 1 }
    guard functionality.contains(.writeByteData) else { return 1 }
    return functionality.contains(.writeWordData) ? 3 : 2
  }

  /// The longest read in bytes that fits into one transaction.
  package var longestRead: Int {
    if functionality.contains(.i2c) { return I2CLimits.message }
    if functionality.contains(.readBlock) { return I2CLimits.block }
    return functionality.contains([.readByteData, .readWordData]) ? 2 : 1
  }

  package func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    guard address < 0x80 else { throw .unsupported }
    guard bytes.count > 0 else { return }
    guard bytes.count <= longestWrite else { throw .tooLong(limit: longestWrite) }
    // The pointer is used only within the closure.
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(BusError) in
      guard functionality.contains(.i2c) else {
        return try unsafe smbusWrite(buffer, to: address)  // pointer used only within the closure
      }
      try unsafe transfer(I2CMessages.write(buffer, to: address))  // valid for the call
    }
  }

  package func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8, advances: Bool
  ) throws(BusError) {
    guard address < 0x80 else { throw .unsupported }
    guard bytes.count > 0 else { return }
    var register = register
    // Both pointers are used only within their closures.
    try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(BusError) in
      guard functionality.contains(.i2c) else {
        // Both pointers are used only within the closures.
        return try unsafe smbusRead(buffer, after: register, from: address, advances: advances)
      }
      guard buffer.count <= I2CLimits.message else { throw .tooLong(limit: I2CLimits.message) }
      try unsafe withUnsafeMutablePointer(to: &register) { (pointer) throws(BusError) in
        try unsafe transfer(I2CMessages.read(buffer, after: pointer, from: address))  // valid here
      }
    }
  }

  /// Returns true if a device acknowledges `address`. Probes as i2cdetect does.
  package func probe(_ address: UInt8) throws(BusError) -> Bool {
    guard address < 0x80 else { throw .unsupported }
    // A quick write can damage the write protection of memory chips, which have the addresses that
    // are checked here. A byte read can block the bus if the device can only be written
    // (i2cdetect(8)).
    let isMemory = (0x30...0x37).contains(address) || (0x50...0x5F).contains(address)
    let readsFirst = isMemory || !functionality.contains(.quick)
    if readsFirst, functionality.contains(.readByte) {
      return try answered { () throws(BusError) in
        try smbus(address) { kernel.readByte() }
      }
    }
    if !isMemory, functionality.contains(.quick) {
      return try answered { () throws(BusError) in
        try smbus(address) { kernel.writeQuick() }
      }
    }
    guard functionality.contains(.i2c) else { throw .unsupported }
    // I2C_RDWR does not check whether a kernel driver uses the address, so the address is selected
    // with I2C_SLAVE first.
    let claimed = claim(address)
    guard claimed >= 0 else { throw BusError(i2cSelect: -claimed) }
    var byte: UInt8 = 0
    return try answered { () throws(BusError) in
      // The pointer is used only within the closure.
      try unsafe withUnsafeMutablePointer(to: &byte) { (pointer) throws(BusError) in
        try unsafe transfer(I2CMessages.probe(pointer, at: address))  // valid for the call
      }
    }
  }

  /// Selects `address` to determine whether a kernel driver is bound to it: I2C_SLAVE fails with
  /// EBUSY in that case. Returns 0, or the negative errno.
  package func claim(_ address: UInt8) -> Int32 {
    selection.withLock { _ in kernel.select(address) }
  }

  private func answered(_ attempt: () throws(BusError) -> Void) throws(BusError) -> Bool {
    do { try attempt() } catch {
      switch error {
      // Some adapters report a missing acknowledgement as EIO, which i2cdetect interprets in the
      // same way.
      case .noAcknowledge, .system(errno: inputOutputError): return false
      default: throw error
      }
    }
    return true
  }

  private func transfer<let count: Int>(_ messages: InlineArray<count, i2c_msg>)
    throws(BusError)
  {
    // The array holds pointers that the callers keep valid until the ioctl returns.
    var messages = unsafe messages
    var span = unsafe messages.mutableSpan  // callers keep the pointers valid
    let result = unsafe span.withUnsafeMutableBufferPointer { (buffer) in
      retrying { unsafe kernel.transfer(buffer) }  // callers keep the pointers valid
    }
    guard result >= 0 else { throw failure(result) }
  }

  private func smbusWrite(_ bytes: UnsafeBufferPointer<UInt8>, to address: UInt8)
    throws(BusError)
  {
    // The buffer is not empty and is valid until the kernel returns.
    let first = unsafe bytes[0]
    switch bytes.count {
    case 1:
      guard functionality.contains(.writeByte) else { throw .unsupported }
      try smbus(address) { kernel.writeByte(first) }
    case 2 where functionality.contains(.writeByteData):
      let second = unsafe bytes[1]  // the buffer has at least two bytes here
      try smbus(address) { kernel.writeByteData(first, second) }
    case 3 where !functionality.contains(.writeBlock):
      // SMBus sends the low byte of a word first (SMBus 2.0, 5.5.4).
      let word = unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[1])  // the buffer has three bytes here
      try smbus(address) { kernel.writeWordData(first, word) }
    default:
      // The buffer is longer than one byte here, and valid until the kernel returns.
      let rest = unsafe UnsafeBufferPointer(rebasing: bytes[1...])
      try smbus(address) { unsafe kernel.writeBlock(first, rest) }  // buffer valid for the call
    }
  }

  private func smbusRead(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, after register: UInt8, from address: UInt8,
    advances: Bool
  ) throws(BusError) {
    let byBlock = functionality.contains(.readBlock)
    let byWord = !byBlock && functionality.contains(.readWordData)
    let byByte = functionality.contains(.readByteData)
    guard byBlock || byByte else { throw .unsupported }
    guard advances || bytes.count <= longestRead else { throw .tooLong(limit: longestRead) }
    var done = 0
    while done < bytes.count {
      let piece = min(bytes.count - done, longestRead)
      let command = register &+ UInt8(truncatingIfNeeded: done)
      if piece == 1, byByte {
        let value = try smbus(address) { kernel.readByteData(command) }
        unsafe bytes[done] = UInt8(truncatingIfNeeded: value)  // done < bytes.count
      } else if byWord, piece == 2 {
        let word = try smbus(address) { kernel.readWordData(command) }
        unsafe bytes[done] = UInt8(truncatingIfNeeded: word)  // done + 1 < bytes.count
        unsafe bytes[done + 1] = UInt8(truncatingIfNeeded: word >> 8)  // done + 1 < bytes.count
      } else {
        // The part lies within the buffer, which is valid until the kernel returns.
        let part = unsafe UnsafeMutableBufferPointer(rebasing: bytes[done..<(done + piece)])
        let count = try smbus(address) { unsafe kernel.readBlock(command, part) }  // valid here
        // An SMBus read that returned fewer bytes is treated as an error.
        guard count == piece else { throw .system(errno: inputOutputError) }
      }
      done += piece
    }
  }

  @discardableResult
  private func smbus(_ address: UInt8, _ call: () -> Int32) throws(BusError) -> Int {
    var selected: Int32 = 0
    let result = selection.withLock { _ in
      selected = kernel.select(address)
      return selected < 0 ? selected : retrying(call)
    }
    guard selected >= 0 else { throw BusError(i2cSelect: -selected) }
    guard result >= 0 else { throw failure(result) }
    return Int(result)
  }

  private func failure(_ result: Int32) -> BusError {
    BusError(i2cTransfer: -result, adapterIsPresent: kernel.isPresent)
  }
}

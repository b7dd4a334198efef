// SPDX-License-Identifier: Apache-2.0
import Registers
import Quantities
import Testing

/// The last arguments of a function, and its results; C functions cannot capture variables.
private struct Platform {
  var address: UInt8 = 0
  var sent: [UInt8] = []
  var asked = 0
  var status: Int32 = 0
}

private func platform(_ context: UnsafeMutableRawPointer?)
  -> UnsafeMutablePointer<Platform>?
{
  unsafe context?.assumingMemoryBound(to: Platform.self)  // as the tests have it
}

/// The arguments of the owner's functions, and the handling of their results.
@Suite struct PlatformBusesTests {
  static let clock: PlatformClock = { 4_000_000_123 }

  /// Returns a bus with `context`.
  private static func i2c(_ context: UnsafeMutablePointer<Platform>) -> PlatformI2C {
    unsafe PlatformI2C(
      write: { context, address, bytes, count in
        guard let platform = unsafe platform(context) else { return -1 }
        unsafe platform.pointee.address = address
        unsafe platform.pointee.sent = (0..<count).map { unsafe bytes?[$0] ?? 0 }
        return unsafe platform.pointee.status
      },
      read: { context, address, register, bytes, count in
        guard let platform = unsafe platform(context) else { return -1 }
        unsafe platform.pointee.address = address
        unsafe platform.pointee.sent = [register]
        unsafe platform.pointee.asked = count
        for index in 0..<count { unsafe bytes?[index] = UInt8(0xA0 + index) }
        return unsafe platform.pointee.status
      }, clock: clock, longestRead: 255, context: UnsafeMutableRawPointer(context))
  }

  private static func spi(_ context: UnsafeMutablePointer<Platform>) -> PlatformSPI {
    unsafe PlatformSPI(
      transfer: { context, sent, sentCount, received, receivedCount in
        guard let platform = unsafe platform(context) else { return -1 }
        unsafe platform.pointee.sent = (0..<sentCount).map { unsafe sent?[$0] ?? 0 }
        unsafe platform.pointee.asked = receivedCount
        for index in 0..<receivedCount { unsafe received?[index] = UInt8(0xB0 + index) }
        return unsafe platform.pointee.status
      }, clock: clock, context: UnsafeMutableRawPointer(context))
  }

  @Test func `an I2C write sends its bytes to its address`() throws {
    var platform = Platform()
    try unsafe withUnsafeMutablePointer(to: &platform) { context throws in
      var bus = unsafe Self.i2c(context)
      let bytes: InlineArray<2, UInt8> = [0x6B, 0x80]
      try bus.write(bytes.span, to: 0x68)
      #expect(bus.longestRead == 255)
      // Microseconds are converted to nanoseconds, beyond 32 bits too.
      #expect(bus.now == Timestamp(nanoseconds: 4_000_000_123_000))
    }
    #expect(platform.address == 0x68 && platform.sent == [0x6B, 0x80])
  }

  @Test func `an I2C read sends the register and asks for bytes`() throws {
    var platform = Platform()
    var read = InlineArray<3, UInt8>(repeating: 0)
    try unsafe withUnsafeMutablePointer(to: &platform) { context throws in
      var bus = unsafe Self.i2c(context)
      var span = read.mutableSpan
      try bus.read(&span, after: 0x3B, from: 0x69)
    }
    #expect(platform.address == 0x69 && platform.sent == [0x3B] && platform.asked == 3)
    #expect(read[0] == 0xA0 && read[1] == 0xA1 && read[2] == 0xA2)
  }

  @Test(arguments: [(0, [0x8F]), (1, [0x8F, 0])] as [(Int, [UInt8])])
  func `an SPI read sends the command and its dummy bytes`(dummyBytes: Int, sent: [UInt8]) throws {
    var platform = Platform()
    var read = InlineArray<2, UInt8>(repeating: 0)
    try unsafe withUnsafeMutablePointer(to: &platform) { context throws in
      var device = unsafe Self.spi(context)
      var span = read.mutableSpan
      try device.read(&span, after: 0x8F, dummyBytes: dummyBytes)
    }
    #expect(platform.sent == sent && platform.asked == 2)
    #expect(read[0] == 0xB0 && read[1] == 0xB1)
  }

  @Test func `an SPI write sends its bytes and asks for none`() throws {
    var platform = Platform()
    try unsafe withUnsafeMutablePointer(to: &platform) { context throws in
      var device = unsafe Self.spi(context)
      let bytes: InlineArray<2, UInt8> = [0x7E, 0x11]
      try device.write(bytes.span)
    }
    #expect(platform.sent == [0x7E, 0x11] && platform.asked == 0)
  }

  /// The numbers as an owner writes them in C.
  @Test(
    arguments: [
      (1, BusError.noAcknowledge), (2, .arbitrationLost), (3, .timeout), (4, .unsupported),
      (-5, .system(errno: -5)), (110, .system(errno: 110)),
    ] as [(Int32, BusError)])
  func `each status of the platform is its error`(status: Int32, error: BusError) throws {
    var platform = Platform(status: status)
    unsafe withUnsafeMutablePointer(to: &platform) { context in
      var bus = unsafe Self.i2c(context)
      var device = unsafe Self.spi(context)
      // Created here, because Swift 6.2 makes no span of an array that a closure captures.
      #expect(throws: error) {
        let bytes: InlineArray<2, UInt8> = [0, 0]
        try bus.write(bytes.span, to: 0x1C)
      }
      #expect(throws: error) {
        let bytes: InlineArray<2, UInt8> = [0, 0]
        try device.write(bytes.span)
      }
    }
  }

  /// A 32-bit counter of microseconds overflows after 4294.967295 s.
  @Test func `a counter of 32 bits is widened over its overflow`() {
    var counter = WideCounter()
    #expect(counter.widen(5) == 5)
    #expect(counter.widen(0xFFFF_FFFF) == 4_294_967_295)
    #expect(counter.widen(0) == 4_294_967_296)
    #expect(counter.widen(0) == 4_294_967_296)
    #expect(counter.widen(7) == 4_294_967_303)
    #expect(counter.widen(6) == 8_589_934_598)
  }
}

# SPDX-License-Identifier: Apache-2.0
"""A replacement of Blinka's busio: the same calls, on the buses of `otolith simulate`."""

import threading

from otolith_bus import Buses


class _Lockable:
    def __init__(self):
        self._lock = threading.Lock()

    def try_lock(self):
        return self._lock.acquire(blocking=False)

    def unlock(self):
        self._lock.release()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.deinit()


class I2C(_Lockable):
    def __init__(self, scl=None, sda=None, frequency=100_000):
        super().__init__()
        self._buses = Buses()

    def deinit(self):
        self._buses.close()

    def scan(self):
        found = []
        for address in range(0x08, 0x78):
            try:
                self._buses.i2c(address)
                found.append(address)
            except OSError:
                pass
        return found

    def writeto(self, address, buffer, *, start=0, end=None):
        self._buses.i2c(address, memoryview(buffer)[start:end])

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        room = memoryview(buffer)[start:end]
        room[:] = self._buses.i2c(address, count=len(room))

    def writeto_then_readfrom(
        self, address, out_buffer, in_buffer, *, out_start=0, out_end=None, in_start=0, in_end=None
    ):
        room = memoryview(in_buffer)[in_start:in_end]
        room[:] = self._buses.i2c(address, memoryview(out_buffer)[out_start:out_end], len(room))


class SPI(_Lockable):
    """Collects the bytes of one chip-select frame. In this protocol a frame is sent as a whole, but
    a driver writes and reads in turn while the line is low. So everything written so far is sent
    again with every read, which does no harm, as a command has no effect before its frame ends.
    Bytes that are only written are sent when the line rises.
    """

    def __init__(self, clock=None, MOSI=None, MISO=None):
        super().__init__()
        self._buses = Buses()
        self._select = None
        self._sent = b""
        self._is_read = False

    def deinit(self):
        self._buses.close()

    def configure(self, baudrate=100_000, polarity=0, phase=0, bits=8):
        pass

    def select(self, number):
        self._select = number
        self._sent = b""
        self._is_read = False

    def deselect(self):
        if self._select is not None and self._sent and not self._is_read:
            self._buses.spi(self._select, self._sent)
        self._select = None

    def write(self, buffer, *, start=0, end=None):
        self._sent += bytes(memoryview(buffer)[start:end])

    def readinto(self, buffer, *, start=0, end=None, write_value=0):
        room = memoryview(buffer)[start:end]
        out = bytes([write_value]) * len(room)
        room[:] = self._buses.spi(self._select, self._sent + out)[len(self._sent):]
        self._sent += out
        self._is_read = True

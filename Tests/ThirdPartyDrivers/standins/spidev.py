# SPDX-License-Identifier: Apache-2.0
"""A replacement of PyPI's spidev: the same calls, on the chip selects of `otolith simulate`. The
device number is the select."""

from otolith_bus import Buses


class SpiDev:
    def __init__(self, bus=None, device=None):
        self.mode = 0
        self.max_speed_hz = 500_000
        self.bits_per_word = 8
        self.lsbfirst = False
        self.cshigh = False
        self.no_cs = False
        self._buses = None
        if bus is not None:
            self.open(bus, device)

    def open(self, bus, device):
        self._buses = Buses()
        self._select = device

    def close(self):
        if self._buses:
            self._buses.close()
        self._buses = None

    def xfer(self, values, *_):
        return list(self._buses.spi(self._select, values))

    xfer2 = xfer
    xfer3 = xfer

    def writebytes(self, values):
        self._buses.spi(self._select, values)

    writebytes2 = writebytes

    def readbytes(self, count):
        return list(self._buses.spi(self._select, bytes(count)))

# SPDX-License-Identifier: Apache-2.0
"""A replacement of MicroPython's machine: the same calls, on the buses of `otolith simulate`."""

from otolith_bus import Buses


class I2C:
    def __init__(self, *_, **__):
        self._buses = Buses()

    def readfrom_mem(self, address, register, count):
        return self._buses.i2c(address, [register], count)

    def readfrom_mem_into(self, address, register, buffer):
        buffer[:] = self._buses.i2c(address, [register], len(buffer))

    def writeto_mem(self, address, register, buffer):
        self._buses.i2c(address, bytes([register]) + bytes(buffer))

    def readfrom(self, address, count):
        return self._buses.i2c(address, count=count)

    def writeto(self, address, buffer):
        self._buses.i2c(address, buffer)

# SPDX-License-Identifier: Apache-2.0
"""A replacement of Blinka's digitalio: a pin is a chip select of `otolith simulate`, which falls
and rises around a frame."""


class Direction:
    INPUT = "input"
    OUTPUT = "output"


class DigitalInOut:
    """The chip select `pin` of the bus `spi`."""

    def __init__(self, pin, spi=None):
        self._pin = pin
        self._spi = spi
        self._value = True

    def switch_to_output(self, value=False, drive_mode=None):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, level):
        if self._value and not level:
            self._spi.select(self._pin)
        elif level and not self._value:
            self._spi.deselect()
        self._value = level

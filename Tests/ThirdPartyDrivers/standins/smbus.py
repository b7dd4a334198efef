# SPDX-License-Identifier: Apache-2.0
"""A replacement of i2c-tools' smbus: the same calls, on the buses of `otolith simulate`."""

from smbus2 import SMBus

__all__ = ["SMBus"]

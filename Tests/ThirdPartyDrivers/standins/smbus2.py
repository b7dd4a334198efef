# SPDX-License-Identifier: Apache-2.0
"""A replacement of PyPI's smbus2: the same calls, on the buses of `otolith simulate`."""

from otolith_bus import Buses


class i2c_msg:
    """One message of a combined transfer."""

    def __init__(self, address, is_read, data):
        self.addr = address
        self.is_read = is_read
        self.buf = bytes(data)

    @classmethod
    def read(cls, address, length):
        return cls(address, True, bytes(length))

    @classmethod
    def write(cls, address, buf):
        return cls(address, False, buf.encode("latin-1") if isinstance(buf, str) else bytes(buf))

    @property
    def len(self):
        return len(self.buf)

    def __len__(self):
        return len(self.buf)

    def __iter__(self):
        return iter(self.buf)

    def __list__(self):
        return list(self.buf)


class SMBus:
    def __init__(self, bus=None, force=False):
        self._buses = None
        if bus is not None:
            self.open(bus)

    def open(self, bus):
        self._buses = Buses()

    def close(self):
        if self._buses:
            self._buses.close()
        self._buses = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def write_quick(self, address, force=None):
        self._buses.i2c(address)

    def read_byte(self, address, force=None):
        return self._buses.i2c(address, count=1)[0]

    def write_byte(self, address, value, force=None):
        self._buses.i2c(address, [value & 0xFF])

    def read_byte_data(self, address, register, force=None):
        return self._buses.i2c(address, [register], 1)[0]

    def write_byte_data(self, address, register, value, force=None):
        self._buses.i2c(address, [register, value & 0xFF])

    def read_word_data(self, address, register, force=None):
        return int.from_bytes(self._buses.i2c(address, [register], 2), "little")

    def write_word_data(self, address, register, value, force=None):
        self._buses.i2c(address, [register, value & 0xFF, value >> 8 & 0xFF])

    def read_i2c_block_data(self, address, register, length=32, force=None):
        # SMBus blocks hold at most 32 bytes (SMBus 2.0, 5.5.7), and the real smbus2 refuses more.
        if length > 32:
            raise ValueError("Desired block length over 32 bytes")
        return list(self._buses.i2c(address, [register], length))

    def write_i2c_block_data(self, address, register, data, force=None):
        if len(data) > 32:
            raise ValueError("Data length cannot exceed 32 bytes")
        self._buses.i2c(address, [register, *data])

    def i2c_rdwr(self, *messages):
        """Writes to and then reads from one address in one transaction. The drivers tested here use
        no longer chains."""
        index = 0
        while index < len(messages):
            message = messages[index]
            follower = messages[index + 1] if index + 1 < len(messages) else None
            if not message.is_read and follower and follower.is_read and follower.addr == message.addr:
                follower.buf = self._buses.i2c(message.addr, message.buf, len(follower))
                index += 2
                continue
            if message.is_read:
                message.buf = self._buses.i2c(message.addr, count=len(message))
            else:
                self._buses.i2c(message.addr, message.buf)
            index += 1

# SPDX-License-Identifier: Apache-2.0
"""The client of the socket of `otolith simulate`, whose path is in $OTOLITH_BUS_SOCKET. The other
stand-ins in this folder use it."""

import os
import socket
import struct


class Buses:
    """A connection. Errors are raised as OSError, like those of the kernel's devices."""

    def __init__(self, path=None):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        self._socket.connect(path or os.environ["OTOLITH_BUS_SOCKET"])

    def i2c(self, address, sent=b"", count=0):
        """Makes one I2C transaction: writes `sent`, then reads `count` bytes. Returns them."""
        sent = bytes(sent)
        return self._ask(struct.pack("<cBHH", b"I", address, len(sent), count) + sent)

    def spi(self, select, sent):
        """Makes one SPI frame. Returns the bytes that were received meanwhile."""
        sent = bytes(sent)
        return self._ask(struct.pack("<cBH", b"S", select, len(sent)) + sent)

    def close(self):
        self._socket.close()

    def _ask(self, request):
        self._socket.sendall(request)
        status, count = struct.unpack("<BH", self._receive(3))
        if status:
            raise OSError(status, os.strerror(status))
        return self._receive(count)

    def _receive(self, count):
        received = b""
        while len(received) < count:
            piece = self._socket.recv(count - len(received))
            if not piece:
                raise ConnectionError("otolith simulate has ended")
            received += piece
        return received

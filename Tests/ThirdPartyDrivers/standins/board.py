# SPDX-License-Identifier: Apache-2.0
"""A replacement of Blinka's board: its pins are names only."""

import busio

SCL = "SCL"
SDA = "SDA"


def I2C():
    return busio.I2C(SCL, SDA)

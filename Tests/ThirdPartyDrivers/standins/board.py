# SPDX-License-Identifier: Apache-2.0
"""In the place of Blinka's board: its pins are names and nothing else."""

import busio

SCL = "SCL"
SDA = "SDA"


def I2C():
    return busio.I2C(SCL, SDA)

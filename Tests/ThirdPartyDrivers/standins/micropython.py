# SPDX-License-Identifier: Apache-2.0
"""A replacement of Blinka's micropython."""


def const(value):
    return value

# SPDX-License-Identifier: Apache-2.0
"""In the place of Blinka's micropython."""


def const(value):
    return value

# SPDX-License-Identifier: Apache-2.0
"""A replacement of the package zstandard, which is not pure Python: uses the machine's libzstd by ctypes."""

import ctypes

_library = ctypes.CDLL("libzstd.so.1")
_library.ZSTD_decompress.restype = ctypes.c_size_t
_library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
_library.ZSTD_compress.restype = ctypes.c_size_t
_library.ZSTD_compress.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
_library.ZSTD_compressBound.restype = ctypes.c_size_t
_library.ZSTD_compressBound.argtypes = [ctypes.c_size_t]


def compress(data):
    target = ctypes.create_string_buffer(_library.ZSTD_compressBound(len(data)))
    count = _library.ZSTD_compress(target, len(target), data, len(data), 3)
    if _library.ZSTD_isError(ctypes.c_size_t(count)):
        raise ValueError("no frame can be made")
    return target.raw[:count]


def decompress(data, max_output_size=0):
    target = ctypes.create_string_buffer(max_output_size)
    count = _library.ZSTD_decompress(target, max_output_size, data, len(data))
    if _library.ZSTD_isError(ctypes.c_size_t(count)):
        raise ValueError("no frame of zstd, or a longer one")
    return target.raw[:count]


class ZstdDecompressor:
    def decompress(self, data, max_output_size=0):
        return decompress(data, max_output_size)

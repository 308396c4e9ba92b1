#!/usr/bin/python3
"""What a file of ior holds, worked out from the rules alone.

    ior_pattern.py TYPE SIGNATURE TASKS T B S [WRITER]

Writes the whole shared file, or that of WRITER alone with one file per task.
TYPE is t, o, i or r.
"""

import ctypes
import signal
import struct
import sys

MASK = (1 << 64) - 1
libc = ctypes.CDLL("libc.so.6")


def rand_r(seed):
    """Values of the C library for a seed, one after another."""
    state = ctypes.c_uint(seed & 0xFFFFFFFF)
    while True:
        yield libc.rand_r(ctypes.byref(state))


def transfer(kind, signature, writer, offset, size):
    words = (size + 7) // 8
    if kind == "r":
        x = next(rand_r(signature + writer + offset))
        data = []
        for _ in range(words):
            x = (x * 0x9E37FFFFFFFC0001 & MASK) >> 3
            data.append(x)
    elif kind == "i":
        values = rand_r(signature + writer)
        high, low = next(values), next(values)
        data = [high << 32 | low] * words
    else:
        data = [(writer << 32 | (signature + k) & MASK) for k in range(words)]
    if kind in "oi":
        for k in range(0, words, 512):
            low = (offset & 0xFFFFFFFF) * (k // 512 + 1) & 0xFFFFFFFF
            data[k] = writer << 32 | low
    return struct.pack("<%dQ" % words, *data)[:size]


def main(kind, signature, tasks, t, b, s, writer=None):
    writers = range(tasks) if writer is None else [writer]
    at = 0
    for _ in range(s):
        for who in writers:
            for _ in range(b // t):
                sys.stdout.buffer.write(transfer(kind, signature, who, at, t))
                at += t


signal.signal(signal.SIGPIPE, signal.SIG_DFL)
main(sys.argv[1], *[int(word) for word in sys.argv[2:]])

"""Small checkpoints for llama2.c with random weights, in the folder at hand.

    python3 benchmarks/llama2_checkpoints.py LAYERS...

Writes mLAYERS.bin for each number of layers: 64 dimensions, 172 hidden ones, 8 heads of which 4
have keys and values, and the vocabulary of its tokenizer, shared with the classifier. What the
weights are decides which words come out, not what loops run.
"""

from __future__ import annotations

import random
import struct
import sys
from array import array
from pathlib import Path

DIM, HIDDEN, HEADS, KV_HEADS, WORDS, TOKENS = 64, 172, 8, 4, 32_000, 256
SEED = 1
_SPREAD = 0.1


def numbers(layers: int) -> int:
    """The weights of a checkpoint, and the rotations that older versions keep behind them."""
    keys = DIM * KV_HEADS // HEADS
    layer = 2 * DIM + 2 * DIM * DIM + 2 * DIM * keys + 3 * DIM * HIDDEN
    return WORDS * DIM + layers * layer + DIM + TOKENS * (DIM // HEADS)


def write(path: Path, layers: int) -> None:
    """A checkpoint of so many layers."""
    chosen = random.Random(SEED)
    weights = array("f", (chosen.gauss(0, _SPREAD) for _ in range(numbers(layers))))
    header = struct.pack("<7i", DIM, HIDDEN, layers, HEADS, KV_HEADS, WORDS, TOKENS)
    path.write_bytes(header + weights.tobytes())


if __name__ == "__main__":
    for number in map(int, sys.argv[1:]):
        write(Path(f"m{number}.bin"), number)

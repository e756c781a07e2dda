"""Functions whose growth is known. Nothing is imported that callgrind would have to run as well."""

from __future__ import annotations

import random


def shuffled(n: int) -> list[int]:
    return random.Random(n).sample(range(n), n)


def merge_sort(items: list[int]) -> list[int]:
    if len(items) < 2:
        return items
    half = len(items) // 2
    a, b = merge_sort(items[:half]), merge_sort(items[half:])
    merged = []
    while a and b:
        if a[-1] > b[-1]:
            merged.append(a.pop())
        else:
            merged.append(b.pop())
    return a + b + merged[::-1]


def insertion_sort(items: list[int]) -> list[int]:
    for i in range(1, len(items)):
        j = i
        while j > 0 and items[j - 1] > items[j]:
            items[j - 1], items[j] = items[j], items[j - 1]
            j -= 1
    return items


def table(n: int, m: int) -> int:
    total = 0
    for i in range(n):
        for j in range(m):
            total += i * j
    return total


def total_of(items: list[int]) -> int:
    return sum(items)

"""Divisors of a number up to a limit, by trial division with small primes: bounded for numbers of any size."""

from __future__ import annotations

from functools import cache
from math import log

EULER = 0.5772156649015329
"""The Euler–Mascheroni constant."""


@cache
def primes(limit: int) -> tuple[int, ...]:
    """The primes up to `limit`."""
    sieve = bytearray([1]) * (limit + 1)
    sieve[:2] = b"\0\0"
    for n in range(2, int(limit**0.5) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, limit + 1, n)))
    return tuple(n for n in range(limit + 1) if sieve[n])


@cache
def harmonic(low: int, high: int) -> float:
    """Σ 1/n for low ≤ n ≤ high: what makes weights 1/n sum to 1."""
    return _harmonic(high) - _harmonic(low - 1)


def _harmonic(most: int) -> float:
    if most < 32:
        return sum(1.0 / n for n in range(1, most + 1))
    return log(most) + EULER + 0.5 / most - 1 / (12 * most * most)  # Euler–Maclaurin: right to 1e-8 from 32 on


def divisors(number: int, limit: int) -> list[int]:
    """All divisors of `number` that are ≤ `limit`, ascending. Work is bounded by the primes below `limit`."""
    found = [1]
    rest = number
    for prime in primes(limit):
        if prime > rest:
            break
        if rest % prime:
            continue
        powers, power = [1], 1
        while rest % prime == 0:
            rest //= prime
            power *= prime
            if power <= limit:
                powers.append(power)
        found = [d * p for p in powers for d in found if d * p <= limit]
    return sorted(found)

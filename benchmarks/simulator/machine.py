"""A model of a parallel machine: caches, shared memory bandwidth, a network with switches, and
heavy-tailed noise.

A message of b bytes takes o + L + b G + o, and a sender's next one leaves after g at the earliest
(Alexandrov et al., "LogGP", SPAA 1995); larger ones wait for the receiver's word first
(rendezvous), and the cores of a node share its link. All-reduces and all-to-alls change their
algorithm with the size of the message as MPI libraries do (Thakur, Rabenseifner and Gropp, IJHPCA
2005). No cost is a sum of powers of sizes and processes, the shape that modelers assume: how times
grow follows from thresholds, integer decompositions and the slowest of many ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from modeling.data.measurements import Floats
from modeling.data.timed_runs import Mask


@dataclass(frozen=True)
class Network:
    """Latency L, overhead o, gap g, seconds per byte G; the same inside a node; bytes up to which a
    message is sent at once; nodes of a switch, seconds of each further one on the way; taper: how
    many times less bandwidth there is between switches than inside one."""

    latency_s: float = 1.2e-6
    overhead_s: float = 6e-7
    gap_s: float = 1e-7
    byte_s: float = 1e-10
    local_latency_s: float = 3e-7
    local_byte_s: float = 4e-11
    eager_bytes: float = 16384
    radix: int = 16
    switch_s: float = 2.5e-7
    taper: float = 2.0

    def levels(self, nodes: float) -> int:
        """Tiers of switches above so many nodes."""
        return max(0, int(np.ceil(np.log(nodes) / np.log(self.radix) - 1e-9)))

    def latency(self, nodes: float) -> float:
        """L between the farthest of so many nodes."""
        return (
            self.local_latency_s
            if nodes == 1
            else self.latency_s + 2 * self.switch_s * max(self.levels(nodes) - 1, 0)
        )

    def contention(self, nodes: float) -> float:
        """How many times longer a byte takes when all nodes send through the upper switches at
        once."""
        return self.taper ** max(self.levels(nodes) - 1, 0)


@dataclass(frozen=True)
class Noise:
    """Detours of the system: how many a second on each rank, their least length, the tail's
    exponent (Pareto); relative spread of a run; probability of a slow node and by how much at most;
    probability that another job disturbs a run."""

    detours: float = 50.0
    detour_s: float = 2e-6
    tail: float = 2.2
    run: float = 0.015
    slow: float = 0.002
    slower: float = 0.2
    disturbed: float = 0.01

    def detours_in(self, seconds: Floats, rng: np.random.Generator) -> Floats:
        """Time lost by each rank while it computes so many seconds."""
        expected = np.minimum(self.detours * seconds, 1e6)
        number = rng.poisson(expected)
        lost = np.zeros_like(seconds)
        few = (number > 0) & (number <= 8)
        for k in range(int(number[few].max(initial=0))):
            hit = np.flatnonzero(few & (number > k))
            lost[hit] += self.detour_s * (1 + rng.pareto(self.tail, len(hit)))
        many = number > 8  # the mean of so many, and the longest of them
        mean = self.detour_s * self.tail / (self.tail - 1)
        lost[many] = mean * number[many] + self.detour_s * rng.random(int(many.sum())) ** (
            -1 / self.tail
        ) * number[many] ** (1 / self.tail)
        return lost


@dataclass(frozen=True)
class Machine:
    """flop_s: seconds of an operation; cache_bytes: of a core's own and of the node's shared cache,
    cache_byte_s: seconds per byte from each; memory_byte_s: for one core, which a node's memory
    serves to `memory_cores` of them at once."""

    flop_s: float = 2.5e-10
    cache_bytes: tuple[float, float] = (1 << 20, 32 << 20)
    cache_byte_s: tuple[float, float] = (1.2e-11, 3e-11)
    memory_byte_s: float = 8e-11
    memory_cores: float = 8.0
    disk_byte_s: float = 2e-9
    disk_nodes: float = 16.0
    network: Network = Network()
    noise: Noise = Noise()

    def compute(self, flops: Floats, traffic: Floats, resident: Floats, cores: float) -> Floats:
        """Seconds of work with so many bytes of traffic, of which `resident` are distinct: the
        slower of arithmetic and data. Sweeps over data that outgrow a cache soon find nothing of it
        there."""
        own = 1 / (1 + (resident / self.cache_bytes[0]) ** 3)
        shared = 1 / (1 + (resident * cores / self.cache_bytes[1]) ** 3)
        memory = self.memory_byte_s * max(1.0, cores / self.memory_cores)
        per_byte = own * self.cache_byte_s[0] + (1 - own) * (
            shared * self.cache_byte_s[1] + (1 - shared) * memory
        )
        return np.maximum(flops * self.flop_s, traffic * per_byte)

    def message(
        self, nbytes: Floats | float, remote: Mask | bool, nodes: float, sharing: float
    ) -> Floats:
        """Seconds from send to receive; remote: does it leave the node; sharing: cores that use the
        link at once."""
        n = self.network
        latency = np.where(remote, n.latency(nodes), n.local_latency_s)
        per_byte = np.where(
            remote, n.byte_s * sharing, n.local_byte_s * max(1.0, sharing / self.memory_cores)
        )
        waits = np.where(np.asarray(nbytes) > n.eager_bytes, 2 * (latency + n.overhead_s), 0.0)
        return np.asarray(2 * n.overhead_s + latency + waits + nbytes * per_byte)

    def all_reduce(self, nbytes: float, nodes: float, cores: float) -> float:
        """Seconds after the last rank has come: recursive doubling of short, reduce-scatter and
        gather of long vectors; ranks beyond a power of two hand over first."""
        ranks = nodes * cores
        inside, between = int(np.ceil(np.log2(cores))), int(np.floor(np.log2(nodes)))
        folded = 2.0 if 2**between < nodes else 0.0
        hop, local = (
            float(self.message(0.0, True, nodes, 1)),
            float(self.message(0.0, False, nodes, 1)),
        )
        if nbytes <= 2048 or ranks < 4:
            hop, local = (
                hop + nbytes * self.network.byte_s,
                local + nbytes * self.network.local_byte_s,
            )
            return (between + folded) * hop + inside * local
        moved = (
            2
            * nbytes
            * (1 - 1 / ranks)
            * (self.network.byte_s if nodes > 1 else self.network.local_byte_s)
        )
        return (
            2 * (between + folded) * hop
            + 2 * inside * local
            + moved * self.network.contention(nodes)
        )

    def all_to_all(self, nbytes: float, nodes: float, cores: float) -> float:
        """Seconds to exchange `nbytes` of every rank: Bruck's algorithm for short, pairwise
        exchange for long messages."""
        ranks = nodes * cores
        share = 1 - 1 / nodes
        per_byte = (
            share * self.network.byte_s * cores * self.network.contention(nodes)
            + (1 - share) * self.network.local_byte_s
        )
        latency = self.network.latency(nodes) + 2 * self.network.overhead_s
        if nbytes / ranks <= 256:
            return float(np.ceil(np.log2(ranks))) * (latency + nbytes / 2 * per_byte)
        return (
            (ranks - 1) * (self.network.overhead_s + self.network.gap_s)
            + latency
            + nbytes * per_byte
        )

    def write(self, nbytes: float, nodes: float) -> float:
        """Seconds to put so many bytes on disks that few nodes saturate."""
        return nbytes * self.disk_byte_s / min(nodes, self.disk_nodes)

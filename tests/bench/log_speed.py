"""How fast and in how much memory a large log is read, where one line in a hundred is a runtime's.

    python -m tests.bench.log_speed [--mb 200] [--mix NAME]

Each mix is written to a file and read by a process of its own; printed are megabytes per second of CPU time (user and
system, of the reading alone), the peak of resident memory above that of the process before it reads, and what was found.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

EVERY = 100
"""One line in so many is a runtime's."""
FLOOR = 10.0
"""Megabytes per second that every mix has to reach."""
NOT_HELD = ("tempting",)
"""Told only: every line of it holds words that runtimes print too, which is no log of a program."""
RUNTIME = (
    "E RKNN: [10:00:01.123] failed to submit!, op id: 3, op name: Conv:conv3, flags: 0x5, task start: 0, task number: 22",
    "E RKNN: [10:00:01.123] failed to submit!, op id: 3, op name: Conv:conv3",
)

Maker = Callable[[random.Random, int], str]


def _camera(r: random.Random, i: int) -> str:
    return r.choice(
        (
            f"2024-08-12 10:{i // 60 % 60:02d}:{i % 60:02d}.{r.randrange(1000):03d} INFO camera: frame {i} exposure {r.randrange(33000)} us gain {r.random() * 16:.3f}",
            f"2024-08-12 10:{i // 60 % 60:02d}:{i % 60:02d}.{r.randrange(1000):03d} INFO app: detections {r.randrange(9)} in {r.random() * 40:.2f} ms, queue {r.randrange(5)}",
            f"INFO [{i / 30:.3f}] tracker: id {r.randrange(400)} box ({r.randrange(1920)}, {r.randrange(1080)}, {r.randrange(200)}, {r.randrange(200)}) score {r.random():.4f}",
            f"INFO stream: sent {r.randrange(1400)} bytes to 192.168.1.{r.randrange(255)}, rtt {r.random() * 9:.1f} ms, temperature {40 + r.random() * 30:.1f}",
        )
    )


def _short(r: random.Random, i: int) -> str:
    return f"INFO frame {i} took {r.random() * 40:.1f} ms"


def _long(r: random.Random, i: int) -> str:
    boxes = " ".join(
        f"[{r.randrange(1920)},{r.randrange(1080)},{r.randrange(400)},{r.randrange(400)}:{r.random():.3f}]"
        for _ in range(24)
    )
    return f"10:{i // 60 % 60:02d}:{i % 60:02d} INFO detector: frame {i} has boxes {boxes}"


def _json(r: random.Random, i: int) -> str:
    return (
        f'{{"ts": {1723456789 + i / 30:.3f}, "level": "info", "msg": "frame processed", "index": {i}, "name": "cam{r.randrange(4)}", '
        f'"size": {r.randrange(10**6)}, "type": "frame", "shape": [1, 3, {r.randrange(720)}, 640], "ms": {r.random() * 40:.2f}}}'
    )


def _logcat(r: random.Random, i: int) -> str:
    tag, text = r.choice(
        (
            ("CameraDevice", f"request {i} done, timestamp {r.randrange(10**12)}"),
            ("SurfaceFlinger", f"layer {r.randrange(90)} buffer {r.randrange(64)} acquired in {r.randrange(900)} us"),
            ("AudioFlinger", f"mixer thread wrote {r.randrange(4096)} frames, latency {r.randrange(90)}"),
            ("demo", f"frame {i} width=1920 height=1080 stride=1920 format=nv12"),
        )
    )
    return f"09-14 08:{i // 60 % 60:02d}:{i % 60:02d}.{r.randrange(1000):03d}  6912  {6900 + r.randrange(40)} I {tag:<16}: {text}"


def _dmesg(r: random.Random, i: int) -> str:
    return f"[{i / 50:12.6f}] " + r.choice(
        (
            f"usb 1-1.{r.randrange(5)}: new high-speed USB device number {r.randrange(90)} using xhci-hcd",
            f"rkisp-vir0: MIPI drop frame {i} size {r.randrange(10**7)}",
            f"mmc1: tuned phase to {r.randrange(360)}, error count {r.randrange(3)}",
            f"thermal thermal_zone0: temperature {r.randrange(90000)} mC, state {r.randrange(4)}",
        )
    )


def _chinese(r: random.Random, i: int) -> str:
    return r.choice(
        (
            f"[信息] 第{i}帧 处理完成，耗时{r.random() * 40:.2f}毫秒，检测到{r.randrange(9)}个目标",
            f"[调试] 摄像头{r.randrange(4)}：曝光{r.randrange(33000)}微秒，增益{r.random() * 16:.2f}",
            f"[信息] 推流线程：已发送{r.randrange(10**6)}字节，队列长度{r.randrange(9)}",
        )
    )


def _tempting(r: random.Random, i: int) -> str:
    """Words that patterns use too, in lines that are no runtime's."""
    return r.choice(
        (
            f"INFO pool: failed to get a slot, size {r.randrange(10**6)}, index {i}, retry in {r.randrange(100)} ms",
            f"INFO input stream {r.randrange(9)}: width={r.randrange(4096)} height={r.randrange(4096)} stride={r.randrange(4096)} format=NV12",
            f"WARN model server: output queue not support priority {r.randrange(9)}, error rate {r.random():.3f}",
            f"INFO tensor cache: index of shape [1, {r.randrange(999)}] found, type float, scale {r.random():.5f}",
        )
    )


def _machine(r: random.Random, i: int) -> str:
    """A runtime's own lines and no others: a loop that fails at every frame."""
    t = f"[{i // 3600 % 24:02d}:{i // 60 % 60:02d}:{i % 60:02d}.{r.randrange(1000):03d}]"
    return r.choice(
        (
            f"E RKNN: {t} failed to submit!, op id: {r.randrange(200)}, op name: Conv:conv{r.randrange(90)}, flags: 0x{r.randrange(16):x}, task start: {r.randrange(99)}, task number: {r.randrange(99)}",
            f"E RKNNAPI: {t} rknn_inputs_set, inputs[{r.randrange(3)}].buf wrong, size = {r.randrange(10**7)} (min_size = {r.randrange(10**7)})",
            f"  index={r.randrange(9)}, name=images{r.randrange(9)}, n_dims=4, dims=[1, {r.randrange(640)}, {r.randrange(640)}, 3], n_elems={r.randrange(10**6)}, size={r.randrange(10**6)}, fmt=NHWC, type=INT8, qnt_type=AFFINE, zp=-128, scale=0.003922",
            f"rga_api version 1.9.3_[{r.randrange(9)}]",
            f"RgaBlit({r.randrange(2000)}) RGA_BLIT fail: Invalid argument",
            f"rknn_run fail! ret=-{r.randrange(1, 13)}",
        )
    )


def _all(r: random.Random, i: int) -> str:
    return r.choice((_camera, _short, _json, _logcat, _dmesg, _chinese, _tempting))(r, i)


MIXES: dict[str, Maker] = {
    "camera": _camera, "short": _short, "long": _long, "json": _json, "logcat": _logcat, "dmesg": _dmesg, "chinese": _chinese,
    "tempting": _tempting, "machine": _machine, "all": _all,
}  # fmt: skip


def write(path: Path, mix: str, megabytes: int) -> None:
    """A log of so many megabytes (10**6 bytes). The lines of four megabytes are made anew, then shuffled again and again."""
    r = random.Random(mix)
    maker, lines, size = MIXES[mix], [], 0
    while size < min(megabytes, 4) * 10**6:
        lines.append(maker(r, len(lines)) + "\n")
        size += len(lines[-1].encode())
    written = 0
    with path.open("w", encoding="utf-8") as stream:
        while written < megabytes * 10**6:
            r.shuffle(lines)
            for i, line in enumerate(lines):
                text = RUNTIME[i // EVERY % 2] + "\n" if i % EVERY == EVERY - 1 else line
                stream.write(text)
                written += len(text) if text.isascii() else len(text.encode())


def read(path: str) -> None:
    """Read one log and print the figures."""
    from prepcheck.logs.reading import read_files
    from prepcheck.logs.texts import Gate, table

    Gate(table().gates)  # start-up: patterns compiled, numpy there
    before_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = time.process_time()
    book = read_files([path])
    spent = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_memory
    megabytes = os.path.getsize(path) / 1e6
    counts = " ".join(f"{k}={v}" for k, v in sorted(book.counts.items()))
    print(f"{megabytes / spent:.1f} {peak / 1024:.0f} {counts}")


def main() -> int:
    """Exit status 1 where a mix is slower than FLOOR."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--mix", choices=list(MIXES), action="append")
    parser.add_argument("--read", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        read(arguments.read)
        return 0
    slow = 0
    print(f"{'mix':<10} {'MB/s':>7} {'+MiB':>6}  lines")
    for mix in arguments.mix or MIXES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{mix}.log"
            write(path, mix, arguments.mb)
            argv = [sys.executable, "-m", "tests.bench.log_speed", "--read", str(path)]
            rate, peak, counts = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split(" ", 2)
            slow += float(rate) < FLOOR and mix not in NOT_HELD
            print(f"{mix:<10} {rate:>7} {peak:>6}  {counts.strip()}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())

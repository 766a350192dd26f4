"""No OpenCL driver can be opened.

What it checks
    `CL ERROR CODE : -30, info:getPlatform`, with the fall-back that follows it.

Why it matters
    The session is made on the CPU instead and works, only slower: nothing about the input changes. On Android an app must name
    the vendor's library in its manifest, else the linker does not let it in.

How it is computed
    The lines.

Example
    Adreno: "Failed to open libCB from libOpenCL", then type 3 → 0.

Fix
    <uses-native-library android:name="libOpenCL.so" android:required="false"/> in the manifest (Android 12 and later), or the
    vendor's driver on Linux (clinfo lists platforms).

Limits
    Why the driver refuses is outside MNN.

References
    alibaba/MNN#2391.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN303",
    "log-opencl-driver",
    over="log:cl_platform",
    category="session_config",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("alibaba/MNN#2391", "mnn:G9"),
    scope="device",
)
def check(first_event: LogEvent, book: LogBook) -> Iterator[Finding]:
    driver, back = book.first("cl_driver"), book.first("mnn_no_backend")
    yield Finding(
        "OpenCL cannot be opened on this device (code {code} from getPlatform)"
        + (": {library} could not be loaded." if driver else "."),
        "The session runs on the CPU instead, with the same input and the same results, only slower."
        if back is not None
        else "No session can run on OpenCL; MNN takes the CPU where backupType lets it.",
        'On Android 12 and later declare <uses-native-library android:name="libOpenCL.so" android:required="false"/> in the manifest; '
        "on Linux install the vendor's driver (clinfo must list a platform). The input is not concerned.",
        {"code": first_event.number("code"), "library": driver.word("lib") if driver else None},
        about="log:backend",
    )

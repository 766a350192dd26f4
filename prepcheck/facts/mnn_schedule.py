"""Facts about MNN's session: the one number that numThread and mode share, precision, fall-back, and image memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prepcheck.contract.plan import Session
from prepcheck.core.gpu_mode import BUFFER_BY_DEFAULT, GpuMode, Union, decode_gpu_mode, schedule_union
from prepcheck.core.opencl_image import GpuImage, tensor_image
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists, things
from prepcheck.facts.mnn_base import backend_of
from prepcheck.facts.path import PathThing
from prepcheck.facts.world import World

HALF_MAX = 65504.0
"""Largest finite half-precision number. Source: IEEE 754 binary16."""
SMALLEST_LIMIT = 8192
"""Side of an image that every OpenCL device of the full profile can hold. Source: OpenCL 1.0 to 1.2 specification,
CL_DEVICE_IMAGE2D_MAX_WIDTH (8192; the embedded profile may have 2048)."""


class ScheduleThing(Thing):
    """MNN's ScheduleConfig with its BackendConfig."""

    kind = "schedule"

    @property
    def backend(self) -> str:
        """The backend of the session."""
        return backend_of(self.world)

    @property
    def session(self) -> Session:
        """What the plan says of the session."""
        plan = self.world.plan
        if plan is None or plan.session is None:
            raise NotApplicable
        return plan.session

    @cached_property
    def assignments(self) -> list[tuple[str, int]]:
        """The assignments to `mode` and `num_thread`, in order."""
        said = self.session.assignments
        if said is not None:
            return [(name, value) for name, value in said if name in ("mode", "num_thread", "numThread")]
        both = [
            (n, v) for n, v in (("num_thread", self.session.num_thread), ("mode", self.session.mode)) if v is not None
        ]
        if len(both) == 2 and both[0][1] != both[1][1]:
            raise Unstated(
                "session.assignments", "num_thread ({threads}) and mode ({mode}) are one number, and which is written last is not stated",
                "add `assignments: [[num_thread, {threads}], [mode, {mode}]]` to the session, in the order of the code",
                where="session", threads=both[0][1], mode=both[1][1])  # fmt: skip
        return both

    @property
    def union(self) -> Union:
        """The number that is left."""
        if not self.assignments:
            raise NotApplicable
        return schedule_union(self.assignments)

    @property
    def decoded(self) -> GpuMode:
        """What the backend makes of it."""
        return decode_gpu_mode(self.backend, self.union.value)

    @property
    def precision(self) -> str:
        """normal, high, low or low_bf16; normal where the plan does not say (MNN's default)."""
        plan = self.world.plan
        said = plan.session.precision if plan is not None and plan.session is not None else None
        return said or "normal"

    @property
    def backup(self) -> str:
        """The fall-back backend."""
        if self.session.backup is None:
            raise NotApplicable
        return self.session.backup.lower()

    @property
    def fed_ranges(self) -> list[tuple[str, int, float, float]]:
        """(input, its place, smallest, largest) of the values handed over, where they are known."""
        found = []
        for path in things(self.world, "path"):
            if not isinstance(path, PathThing) or path.position is None:
                continue
            try:
                low, high = path.fed_range
            except (Unstated, NotApplicable):
                continue
            found.append((path.label, path.position, low, high))
        return found

    # -- image memory

    @property
    def memory(self) -> str:
        """buffer, image, or auto (the GPU decides) of an OpenCL session; NotApplicable for other backends.

        Without any assignment the number is 4 (wide tuning) and the GPU decides. Mali and Intel take buffers then; the
        GPUs of Rockchip chips are Mali.
        """
        if self.backend != "opencl":
            raise NotApplicable
        try:
            found = decode_gpu_mode("opencl", schedule_union(self.assignments).value).memory
        except NotApplicable:
            found = "auto"
        platform = self.world.platform or ""
        if found == "auto" and platform.startswith(("rk", "rv")):
            return "buffer"
        return found or "auto"

    @property
    def buffer_by_default(self) -> tuple[str, ...]:
        """GPUs that take buffers where nothing is said."""
        return BUFFER_BY_DEFAULT

    @property
    def mode_number(self) -> int:
        """The number of the union; MNN's default where nothing is said."""
        try:
            return schedule_union(self.assignments).value
        except NotApplicable:
            return schedule_union([]).value

    @cached_property
    def images(self) -> list[GpuImage]:
        """The images that MNN makes for the model in image memory: of the file's graph, else of the inputs alone."""
        given = [i for i in self.world.extra.get("gpu_images", ()) if isinstance(i, GpuImage)]
        if given:
            return given
        found = []
        for tensor in self.world.contract.inputs if self.world.contract else ():
            if tensor.shape and tensor.layout and all(d > 0 for d in tensor.shape):
                width, height = tensor_image(tensor.shape, tensor.layout)
                found.append(
                    GpuImage(
                        "input", tensor.name or f"inputs[{tensor.index}]", width, height, shape=tuple(tensor.shape)
                    )
                )
        if not found:
            raise NotApplicable
        return found

    @property
    def limit(self) -> tuple[int, int]:
        """Largest width and height of an image on the device. Unstated only where it matters."""
        plan = self.world.plan
        said = plan.device.image2d_max if plan is not None and plan.device is not None else None
        if said is not None:
            return (said[0], said[1])
        largest = max(max(i.width, i.height) for i in self.images)
        if largest <= SMALLEST_LIMIT:
            return (SMALLEST_LIMIT, SMALLEST_LIMIT)
        raise Unstated(
            "device.image2d_max",
            "the largest OpenCL image that the device holds is not stated, and the model needs one with a side of {largest}",
            "add `device: {{image2d_max: [16384, 16384]}}` (clinfo: Max 2D image size), or choose buffer memory: `mode: 68`",
            where="device", largest=largest)  # fmt: skip


@lists("schedule")
def _schedules(world: World) -> Iterator[Thing]:
    if world.runtime == "mnn" and world.plan is not None and world.declared:
        yield ScheduleThing(world, "session")

"""MNN's calls of a record (prepcheck_trace_mnn.hpp) as calls of a plan (interface §4.2), with session and tensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from prepcheck.readers.record_parts import (
    Call,
    Memories,
    Recorded,
    RecordedModel,
    Story,
    integers,
    optional,
    real,
    table,
    tables,
    text,
    whole,
)
from prepcheck.wire.pcrec import JsonValue

BACKENDS: Final = {0: "cpu", 1: "metal", 2: "cuda", 3: "opencl", 7: "vulkan"}
"""MNNForwardType by number. Source: MNN MNNForwardType.h."""
_PRECISION: Final = ("normal", "high", "low", "low_bf16")
_LEVEL: Final = ("normal", "high", "low")
"""BackendConfig::PrecisionMode, MemoryMode and PowerMode by number. Source: MNN MNNForwardType.h."""
_DIMENSIONS: Final = ("TENSORFLOW", "CAFFE", "CAFFE_C4")
_LAYOUTS: Final = ("NHWC", "NCHW", "NC4HW4")
_KINDS: Final = {0: "int", 1: "uint", 2: "float"}
_FORMATS: Final = {
    0: "RGBA", 1: "RGB", 2: "BGR", 3: "GRAY", 4: "BGRA", 5: "YCrCb", 6: "YUV", 7: "HSV", 8: "XYZ", 9: "BGR555",
    10: "BGR565", 11: "YUV_NV21", 12: "YUV_NV12", 13: "YUV_I420", 14: "HSV_FULL",
}  # fmt: skip
"""CV::ImageFormat by number. Source: MNN ImageProcess.hpp."""
_CHANNELS: Final = {0: 4, 3: 1, 4: 4}
"""Channels of the destination formats that have not three: RGBA, GRAY, BGRA. Measured: MNN 3.6.1 uses as many of mean and normal."""
_FILTERS: Final = ("nearest", "bilinear", "bicubic")
_WRAPS: Final = ("CLAMP_TO_EDGE", "ZERO", "REPEAT")


@dataclass(slots=True)
class _Tensor:
    """An input of the session. written: since the last look at its memory something was recorded that writes it."""

    name: str
    document: dict[str, JsonValue]
    hash: str | None = None
    written: bool = False
    given: str | None = None


def dtype_of(code: int | None, bits: int | None) -> str | None:
    """halide_type_t as a name of ours: (2, 32) → float32."""
    kind = _KINDS.get(-1 if code is None else code)
    return None if kind is None or bits not in (8, 16, 32, 64) else f"{kind}{bits}"


class MnnReader:
    """Goes through the mnn.* events and writes the plan's calls."""

    def __init__(self, memories: Memories, story: Story) -> None:
        self.memories = memories
        self.story = story
        self.used = False
        self.runs = 0
        self.inputs: dict[int, _Tensor] = {}
        self.outputs: dict[int, dict[str, JsonValue]] = {}
        self.processes: dict[int, dict[str, JsonValue]] = {}
        self._session: Mapping[str, JsonValue] = {}
        self._loaded: Mapping[str, JsonValue] = {}
        self._version: str | None = None

    def take(self, event: Mapping[str, JsonValue]) -> bool:
        """Write the calls of an event; False where it is not one of MNN's."""
        api = str(event["api"])
        if not api.startswith("mnn."):
            return False
        self.used = True
        short = api.removeprefix("mnn.")
        if short.startswith("ImageProcess."):
            self._image_process(event, short.removeprefix("ImageProcess."))
        elif short in ("createFromFile", "createFromBuffer"):
            self._loaded = event
            self._version = text(event.get("version"))
        elif short == "createSession":
            self._session = event
        elif short in ("getSessionInput", "getSessionOutput"):
            self._asked(event, short == "getSessionInput")
        else:
            self._call(event, short)
        return True

    def model(self) -> RecordedModel:
        """What was loaded."""
        return RecordedModel(
            text(self._loaded.get("path")), optional(self._loaded.get("model_size")), text(self._loaded.get("hash"))
        )

    def document(self) -> dict[str, JsonValue]:
        """runtime, backend, version, session and, where an input was asked for, the model of the plan."""
        found: dict[str, JsonValue] = {"runtime": "mnn"}
        if self._version is not None:
            found["version"] = self._version
        if self._session:
            number = whole(self._session.get("type"))
            if number in BACKENDS:
                found["backend"] = BACKENDS[number]
            found["session"] = self._settings(number)
        if self.inputs:
            model: dict[str, JsonValue] = {"runtime": "mnn", "inputs": [t.document for t in self.inputs.values()]}
            if self.outputs:
                model["outputs"] = list[JsonValue](self.outputs.values())
            found["model"] = model
        return found

    def _settings(self, backend: int) -> dict[str, JsonValue]:
        """num_thread and mode are one union: on the CPU it is the number of threads, on a GPU the mode."""
        value = whole(self._session.get("mode"), 4)
        settings: dict[str, JsonValue] = {"num_thread" if backend == 0 else "mode": value}
        for key, names in (("precision", _PRECISION), ("memory", _LEVEL), ("power", _LEVEL)):
            number = optional(self._session.get(key))
            if number is not None and 0 <= number < len(names):
                settings[key] = names[number]
        backup = BACKENDS.get(whole(self._session.get("backup")))
        if backup is not None:
            settings["backup"] = backup
        return settings

    @staticmethod
    def _described(event: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Shape, type and layout of a tensor. MNN calls NC4HW4 tensors CAFFE too, so CAFFE alone tells no layout."""
        kind = whole(event.get("dim_type"), -1)
        found: dict[str, JsonValue] = {"shape": list[JsonValue](integers(event.get("shape")))}
        found["dtype"] = dtype_of(optional(event.get("type_code")), optional(event.get("type_bits")))
        if kind in (0, 2):
            found["layout"] = _LAYOUTS[kind]
        return found

    def _asked(self, event: Mapping[str, JsonValue], is_input: bool) -> None:
        pointer = whole(event.get("tensor"))
        if not pointer:
            return
        known = self.inputs if is_input else self.outputs
        name = text(event.get("name")) or ("input" if is_input else "output")
        document: dict[str, JsonValue] = {"index": len(known), "name": name, **self._described(event)}
        document["provenance"] = {"shape": "record", "dtype": "record"}
        if is_input and pointer not in self.inputs:
            self.inputs[pointer] = _Tensor(name, document)
        elif not is_input:
            self.outputs.setdefault(pointer, document)

    def _name(self, pointer: JsonValue) -> str | None:
        number = whole(pointer)
        if number in self.inputs:
            return self.inputs[number].name
        return text(self.outputs[number].get("name")) if number in self.outputs else None

    def _call(self, event: Mapping[str, JsonValue], api: str) -> None:
        if api == "copyFromHostTensor":
            self._copied(event)
        elif api == "copyToHostTensor":
            self.story.add(event, {"api": api, "tensor": self._name(event.get("from"))})
            self._keep(self.story.outputs, event, late=1)
        elif api == "resizeTensor":
            self._resized(event)
        elif api == "resizeSession":
            self.story.add(event, {"api": api})
        elif api == "runSession":
            self._run(event)
        elif api == "host":
            self._pointed(event)
        elif api == "fromNumpy":
            self._from_numpy(event)
        elif api == "unmap" and event.get("map") == 0:
            self._unmapped(event)

    def _keep(self, into: list[Recorded], event: Mapping[str, JsonValue], index: int = 0, late: int = 0) -> None:
        blob = optional(event.get("blob"))
        if blob:
            into.append(Recorded(index, self.runs - late, blob, whole(event.get("size"))))

    def _copied(self, event: Mapping[str, JsonValue]) -> None:
        target = self.inputs.get(whole(event.get("to")))
        host: dict[str, JsonValue] = self._described(event)
        kind = whole(event.get("dim_type"), -1)
        if 0 <= kind < len(_DIMENSIONS):
            host["dimension_type"] = _DIMENSIONS[kind]
        memory = self.memories.of_address(whole(event.get("host")))
        if memory is not None:
            host["fill"] = {"buffer": memory.name, "size": optional(event.get("size"))}
        name = "copyFrom" if event.get("as") == "copyFrom" else "copyFromHostTensor"
        call: Call = {"api": name, "tensor": target.name if target else None, "host": host}
        seen = text(event.get("hash"))
        if seen is not None:
            call["hash"] = seen
        self.story.add(event, call)
        if target is not None:
            target.written, target.given = True, seen
            self._keep(self.story.inputs, event, whole(target.document.get("index")))

    def _from_numpy(self, event: Mapping[str, JsonValue]) -> None:
        """Python only: on an input of a session it writes nothing."""
        target, array = self.inputs.get(whole(event.get("to"))), table(event.get("array"))
        host: dict[str, JsonValue] = {"shape": list[JsonValue](integers(array.get("shape")))}
        dtype = text(array.get("dtype"))
        if dtype is not None and dtype.isalnum():
            host["dtype"] = dtype
        self.story.add(event, {"api": "Tensor.fromNumpy", "tensor": target.name if target else None, "host": host})

    def _resized(self, event: Mapping[str, JsonValue]) -> None:
        target = self.inputs.get(whole(event.get("tensor")))
        shape = list[JsonValue](integers(event.get("to")))
        if target is not None and target.document.get("shape") == shape:
            return  # MNN does nothing for the sizes that a tensor has (measured: MNN 3.6.1); the plan tells changes only
        self.story.add(event, {"api": "resizeTensor", "tensor": target.name if target else None, "shape": shape})
        if target is not None:
            target.document["shape"] = shape
            target.hash = None

    def _seen(self, event: Mapping[str, JsonValue], tensor: Mapping[str, JsonValue]) -> None:
        """The host memory of an input was looked at: a change that no recorded call explains was written through host()."""
        target, seen = self.inputs.get(whole(tensor.get("tensor"))), text(tensor.get("hash"))
        if target is None or seen is None:
            return
        if target.hash is not None and target.hash != seen and not target.written and event["api"] == "mnn.runSession":
            memory = self.memories.of_address(whole(tensor.get("host")))
            call: Call = {"api": "host", "tensor": target.name, "write": "memcpy", "size": optional(tensor.get("size"))}
            if memory is not None:
                call["buffer"] = memory.name
            self.story.add({"th": event.get("th"), "t": event.get("t")}, call)
            target.given = seen
        target.hash, target.written = seen, False

    def _pointed(self, event: Mapping[str, JsonValue]) -> None:
        """host() of an input: memory that can be seen is looked at again before the run; for the rest the call itself counts."""
        target = self.inputs.get(whole(event.get("tensor")))
        if target is not None and "hash" not in event:
            self.story.add(event, {"api": "host", "tensor": target.name, "size": optional(event.get("size"))})
        self._seen(event, event)

    def _unmapped(self, event: Mapping[str, JsonValue]) -> None:
        target = self.inputs.get(whole(event.get("tensor")))
        kind = whole(event.get("map_dim_type"), -1)
        if target is None or not 0 <= kind < len(_DIMENSIONS):
            return
        host: dict[str, JsonValue] = {**self._described(event), "dimension_type": _DIMENSIONS[kind]}
        self.story.add(event, {"api": "copyFromHostTensor", "tensor": target.name, "host": host})
        target.written, target.given = True, text(event.get("hash"))
        self._keep(self.story.inputs, event, whole(target.document.get("index")))

    def _run(self, event: Mapping[str, JsonValue]) -> None:
        for item in tables(event.get("inputs")):
            self._seen(event, item)
        call: Call = {"api": "runSession"}
        hashes = [t.given for t in self.inputs.values() if t.given is not None]
        if hashes:
            call["hash"] = ",".join(hashes)
        self.story.add(event, call)
        for index, item in enumerate(tables(event.get("results"))):
            self._keep(self.story.outputs, item, index)
        self.runs += 1
        for target in self.inputs.values():
            target.hash = None  # the session recycles the memory of its inputs

    def _image_process(self, event: Mapping[str, JsonValue], step: str) -> None:
        process = self.processes.setdefault(whole(event.get("process")), {})
        if step == "create":
            process.clear()
            process["source_format"] = _FORMATS.get(whole(event.get("source_format"), -1))
            process["dest_format"] = _FORMATS.get(whole(event.get("dest_format"), -1))
            # the structure always has four of each; the ones beyond the destination's channels are not used
            channels = _CHANNELS.get(whole(event.get("dest_format"), -1), 3)
            for key in ("mean", "normal"):
                process[key] = _numbers(table(event.get(key)))[:channels]
            for key, names in (("filter", _FILTERS), ("wrap", _WRAPS)):
                number = whole(event.get(key), -1)
                process[key] = names[number] if 0 <= number < len(names) else None
        elif step == "setMatrix":
            process["matrix"] = _numbers(table(event.get("matrix")))
        elif step == "setPadding":
            process["padding"] = whole(event.get("value"))
        elif step == "convert":
            self._convert(event, process)

    def _convert(self, event: Mapping[str, JsonValue], process: Mapping[str, JsonValue]) -> None:
        target = self.inputs.get(whole(event.get("tensor")))
        source = self.memories.of_address(whole(event.get("source")))
        call: Call = {"api": "ImageProcess.convert", **process, "tensor": target.name if target else None}
        call["source"] = source.name if source else None
        call["source_size"] = [whole(event.get("width")), whole(event.get("height"))]
        call["stride"] = whole(event.get("stride"))
        call["dest"] = self._described(event)
        seen = text(event.get("hash"))
        if seen is not None:
            call["hash"] = seen
        self.story.add(event, call)
        if target is not None:
            target.written, target.given = True, seen


def _numbers(values: Mapping[str, JsonValue]) -> list[JsonValue]:
    """{"0": a, "1": b, …} as a list."""
    return [real(values[str(i)]) or 0.0 for i in range(len(values)) if str(i) in values]

"""The Python toolkits' calls of a record (`prepcheck trace script.py`) as calls of a plan: config, load, build, inference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prepcheck.readers.record_parts import (
    Call,
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

LIBRARIES: Final = ("rknn-toolkit2", "rknn-toolkit-lite2", "rknn-toolkit")
_MODEL_ARGUMENTS: Final = ("model", "path", "tf_pb", "prototxt", "argument0")


class ToolkitReader:
    """Goes through the toolkit.* events and writes the plan's calls, buffers and what the model was built with."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.used = False
        self.runs = 0
        self.buffers: dict[str, JsonValue] = {}
        self._names: dict[tuple[int, str], str] = {}
        self._library: str | None = None
        self._version: str | None = None
        self._platform: str | None = None
        self._build: dict[str, JsonValue] = {}
        self._path: str | None = None

    def take(self, event: Mapping[str, JsonValue]) -> bool:
        """Write the calls of an event; False where it is not one of a toolkit's."""
        api = str(event["api"])
        if not api.startswith("toolkit."):
            return False
        self.used = True
        self._library = text(event.get("library")) or self._library
        self._version = text(event.get("version")) or self._version
        arguments = table(event.get("arguments"))
        if api == "toolkit.inference":
            self._inference(event, arguments)
        elif api == "toolkit.config":
            self._config(arguments)
        elif api == "toolkit.build":
            self._built(arguments)
        elif api.startswith("toolkit.load_"):
            self._path = next((p for p in (text(arguments.get(k)) for k in _MODEL_ARGUMENTS) if p), self._path)
        return True

    def model(self) -> RecordedModel:
        """What was loaded."""
        return RecordedModel(self._path)

    def document(self) -> dict[str, JsonValue]:
        """runtime, version, platform and the additions to the model."""
        found: dict[str, JsonValue] = {"runtime": "rknn1" if self._library == "rknn-toolkit" else "rknn"}
        if self._version is not None and self._library == "rknn-toolkit-lite2":
            found["version"] = self._version
        elif self._version is not None:
            self._build.setdefault("toolkit", self._version)
        if self._platform is not None:
            found["platform"] = self._platform
        if self._build:
            found["model"] = {"build": self._build}
        return found

    def _config(self, arguments: Mapping[str, JsonValue]) -> None:
        for key, argument in (("mean", "mean_values"), ("std", "std_values")):
            lists = _lists(arguments.get(argument))
            if lists is not None:
                self._build[key] = lists
        platform = text(arguments.get("target_platform"))
        self._platform = platform.lower() if platform else self._platform

    def _built(self, arguments: Mapping[str, JsonValue]) -> None:
        quantized, batch = arguments.get("do_quantization"), optional(arguments.get("rknn_batch_size"))
        if isinstance(quantized, bool):
            self._build["quantized"] = quantized
        if batch is not None:
            self._build["batch_size"] = batch

    def _inference(self, event: Mapping[str, JsonValue], arguments: Mapping[str, JsonValue]) -> None:
        given = tables(event.get("inputs"))
        call: Call = {"api": "inference", "library": self._library if self._library in LIBRARIES else None}
        call["inputs"] = [self._buffer(item) for item in given]
        for key, argument in (
            ("data_format", "data_format"),
            ("data_type", "data_type"),
            ("pass_through", "inputs_pass_through"),
        ):
            if arguments.get(argument) is not None:
                call[key] = arguments[argument]
        hashes = [h for h in (text(item.get("hash")) for item in given) if h is not None]
        if hashes:
            call["hash"] = ",".join(hashes)
        raised = text(event.get("raised"))
        if raised is not None:
            self.story.notes.append(f"inference raised {raised}")
        self.story.add(event, call)
        for index, item in enumerate(given):
            self._keep(self.story.inputs, item, index)
        for index, item in enumerate(tables(event.get("results"))):
            self._keep(self.story.outputs, item, index)
        self.runs += 1

    def _keep(self, into: list[Recorded], item: Mapping[str, JsonValue], index: int) -> None:
        blob = optional(item.get("blob"))
        if blob:
            into.append(Recorded(index, self.runs, blob, whole(item.get("size"))))

    def _buffer(self, item: Mapping[str, JsonValue]) -> str:
        """The name of an array: the same memory seen in the same way is one buffer."""
        shape = integers(item.get("shape"))
        key = (whole(item.get("buffer")), f"{shape} {item.get('dtype')} {item.get('strides')}")
        name = self._names.setdefault(key, f"array{len(self._names)}")
        entry: dict[str, JsonValue] = {"shape": list[JsonValue](shape), "size": optional(item.get("size"))}
        dtype = text(item.get("dtype"))
        if dtype is not None and dtype.isalnum():
            entry["dtype"] = dtype
        span = _range_of(item)
        if span is not None and (dtype or "").startswith("float"):
            entry["range"] = span
        if isinstance(item.get("contiguous"), bool):
            entry["contiguous"] = item["contiguous"]
        if "strides" in item:
            entry["strides"] = list[JsonValue](integers(item["strides"]))
            entry["size"] = optional(item.get("parent_size")) or entry["size"]
        self.buffers[name] = entry
        return name


def _range_of(item: Mapping[str, JsonValue]) -> JsonValue:
    """The range of an array by the unit that the recorder told from its values; None for a dark picture, which tells none."""
    low, high = real(item.get("min")), real(item.get("max"))
    if low is None or high is None:
        return None
    nominal: dict[str | None, JsonValue] = {"pixels": [0.0, 255.0], "fraction": [0.0, 1.0], "normalized": [low, high]}
    return nominal.get(text(item.get("unit"))) if high <= 255.0 else [low, high]


def _lists(value: JsonValue) -> list[JsonValue] | None:
    """mean_values and std_values as one list of numbers for each input; flat lists are those of one input."""
    if not isinstance(value, list) or not value:
        return None
    rows = value if isinstance(value[0], list) else [value]
    return [[real(v) for v in row if real(v) is not None] if isinstance(row, list) else None for row in rows]

"""The recorder's side of the watched MNN classes: the same events as `prepcheck_trace_mnn.hpp` writes for C++ programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from prepcheck.guarding.hooks import replace_attribute
from prepcheck.guarding.mnn_faces import ModuleCalls
from prepcheck.guarding.mnn_state import array_of, like_tensor, pointer_of, word_of
from prepcheck.guarding.tracing_rknn import describe, plain
from prepcheck.wire.pcrec import JsonValue
from prepcheck.wire.pcrec_write import OUTPUT_BLOCKS

if TYPE_CHECKING:
    from typing import TypeGuard

    from prepcheck.guarding.foreign import MnnModule, MnnTensor, MnnVar, Run
    from prepcheck.guarding.mnn_state import Call, ProcessState, SessionState, Slot
    from prepcheck.guarding.tracing import Recorder

    Fields = dict[str, JsonValue]

_CODES = {"f": 2, "i": 0, "u": 1, "b": 1}
"""numpy kind → halide_type_code_t (0 int, 1 uint, 2 float). Source: MNN HalideRuntime.h."""
BACKENDS = {
    "CPU": 0, "METAL": 1, "CUDA": 2, "OPENCL": 3, "AUTO": 4, "NN": 5, "OPENGL": 6, "VULKAN": 7,
}  # fmt: skip
"""MNNForwardType by the names that pymnn's configuration takes. Source: MNN MNNForwardType.h."""
_PRECISION = {"normal": 0, "high": 1, "low": 2, "Low_BF16": 3}


class TraceWatch:
    """Implements MnnWatch by writing events."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def _write(self, api: str, at: int, fields: Mapping[str, JsonValue]) -> None:
        self.recorder.writer.event(api, {**fields, "d": self.recorder.writer.now() - at}, at=at)

    def created(self, session: SessionState) -> None:
        """createSession, and the model that its interpreter was made from."""
        at, sessions = self.recorder.writer.now(), session.sessions
        if session.number == 0:
            fields: Fields = {"net": _address(sessions), "version": _version()}
            fields |= {"path": sessions.model} if sessions.model is not None else {}
            self._write("mnn.createFromFile", at, fields)
        self._write(
            "mnn.createSession", at, {"net": _address(sessions), "session": _session(session), **_config(session)}
        )

    def handed(self, slot: Slot) -> None:
        """getSessionInput, told once for each input."""
        fields = {"session": _session(slot.session), "name": slot.name, **_tensor(slot.native, slot.session.host)}
        self._write("mnn.getSessionInput", self.recorder.writer.now(), fields)

    def unnamed(self, session: SessionState, name: str) -> None:
        """getSessionInput without a name on a model with several inputs."""
        self._write(
            "mnn.getSessionInput",
            self.recorder.writer.now(),
            {"session": _session(session), "unnamed": 1, "name": name},
        )

    def copy(self, slot: Slot, host: object, api: str, call: Call) -> object:
        """copyFrom and copyFromHostTensor on a session input."""
        return self._copied("mnn.copyFromHostTensor", {"to": _address_of(slot.native), "as": api}, host, call)

    def own_copy(self, tensor: MnnTensor, host: object, api: str, call: Call) -> object:
        """The same on a tensor of the program's own."""
        return self._copied("mnn.copyFromHostTensor", {"to": _address_of(tensor), "as": api, "own": 1}, host, call)

    def _copied(self, api: str, fields: Fields, host: object, call: Call) -> object:
        at = self.recorder.writer.now()
        if like_tensor(host):
            fields = {**fields, **_tensor(host)}
            view = array_of(host)
            if view is not None:
                fields |= self.recorder.content(view)
        else:
            fields = {**fields, "argument": type(host).__name__}
        result = call()
        self._write(api, at, {**fields, "done": int(result is not False)})
        return result

    def expose(self, slot: Slot, api: str, call: Call) -> object:
        """getNumpyData and getHost give the memory itself."""
        at = self.recorder.writer.now()
        slot.exposed = True
        result = call()
        self._write("mnn.host", at, {**_tensor(slot.native, slot.session.host), "as": api, **self._content(slot)})
        return result

    def from_numpy(self, slot: Slot, array: object, call: Call) -> object:
        """fromNumpy, which writes nothing here."""
        at = self.recorder.writer.now()
        result = call()
        self._write("mnn.fromNumpy", at, {"to": _address_of(slot.native), "array": describe(self.recorder, array)})
        return result

    def resize_tensor(self, slot: Slot | None, shape: object, call: Call) -> object:
        """resizeTensor."""
        at = self.recorder.writer.now()
        result = call()
        fields: Fields = {"to": [int(d) for d in shape] if isinstance(shape, (list, tuple)) else None}
        if slot is not None:
            fields["tensor"] = _address_of(slot.native)
        self._write("mnn.resizeTensor", at, fields)
        return result

    def resize_session(self, session: SessionState, call: Call) -> object:
        """resizeSession."""
        at = self.recorder.writer.now()
        result = call()
        self._write("mnn.resizeSession", at, {"session": _session(session)})
        return result

    def run(self, session: SessionState, api: str, call: Call) -> object:
        """runSession with the content of every fetched input before it and of the outputs after it."""
        at = self.recorder.writer.now()
        slots = list(session.slots.values())
        inputs: list[JsonValue] = [
            {"name": s.name, **_tensor(s.native, s.session.host), **self._content(s)} for s in slots
        ]
        fields: Fields = {"session": _session(session), "inputs": inputs, "as": api}
        try:
            code = call()
        except BaseException as error:
            fields |= {"ret": -1, "raised": f"{type(error).__name__}: {error}"[:512]}
            self._write("mnn.runSession", at, fields)
            self.recorder.runs += 1
            raise
        fields["ret"] = int(code) if isinstance(code, int) else 0
        fields["results"] = self._outputs(session)
        self._write("mnn.runSession", at, fields)
        self.recorder.runs += 1
        return code

    def _content(self, slot: Slot) -> Fields:
        view = slot.view()
        return {} if view is None else self.recorder.content(view)

    def _outputs(self, session: SessionState) -> list[JsonValue]:
        found: list[JsonValue] = []
        for name, native in session.outputs().items():
            view = array_of(native)
            if view is not None:
                found.append({"name": name, **_tensor(native), **self.recorder.content(view, OUTPUT_BLOCKS)})
        return found

    def output(self, session: SessionState, name: str, native: MnnTensor) -> None:
        """getSessionOutput."""
        fields = {"session": _session(session), "name": name, **_tensor(native, session.host)}
        self._write("mnn.getSessionOutput", self.recorder.writer.now(), fields)

    def read(self, tensor: MnnTensor, host: object, call: Call) -> object:
        """copyToHostTensor of an output."""
        at = self.recorder.writer.now()
        result = call()
        fields: Fields = {"from": _address_of(tensor), "done": int(result is not False)}
        if like_tensor(host):
            view = array_of(host)
            fields |= _tensor(host)
            fields |= {} if view is None else self.recorder.content(view, OUTPUT_BLOCKS)
        self._write("mnn.copyToHostTensor", at, fields)
        return result

    def process_made(self, process: ProcessState) -> None:
        """A CVImageProcess with its configuration; pymnn's defaults where it says nothing (RGBA, NEAREST, CLAMP)."""
        config = process.config if isinstance(process.config, dict) else {}
        fields: Fields = {"process": _address(process), "config": plain(config)}
        for key, name in (
            ("sourceFormat", "source_format"),
            ("destFormat", "dest_format"),
            ("filterType", "filter"),
            ("wrap", "wrap"),
        ):
            value = config.get(key, 0)
            fields[name] = int(value) if isinstance(value, int) else 0
        for key, fill in (("mean", 0.0), ("normal", 1.0)):
            value = config.get(key)
            four = value if isinstance(value, tuple) and len(value) == 4 else (fill,) * 4
            fields[key] = {str(i): float(v) for i, v in enumerate(four)}
        self._write("mnn.ImageProcess.create", self.recorder.writer.now(), fields)

    def convert(self, process: ProcessState, args: tuple[object, ...], slot: Slot | None, call: Call) -> object:
        """ImageProcess.convert, after the matrix and padding that were set."""
        at = self.recorder.writer.now()
        self._settings(process)
        fields: Fields = {"process": _address(process)}
        for key, value in zip(("width", "height", "stride"), args[1:4], strict=False):
            fields[key] = int(value) if isinstance(value, int) else None
        if args and isinstance(args[0], np.ndarray):
            array: NDArray[np.generic] = args[0]
            fields |= {
                "source": f"0x{array.__array_interface__['data'][0]:x}",
                "array": {"shape": list(array.shape), "size": int(array.nbytes)},
            }
            fields |= self.recorder.content(array)
        tensor = args[4] if len(args) > 4 else None
        if like_tensor(tensor):
            fields |= _tensor(tensor, slot is None or slot.session.host)
        code = call()
        self._write("mnn.ImageProcess.convert", at, {**fields, "ret": int(code) if isinstance(code, int) else 0})
        return code

    def _settings(self, process: ProcessState) -> None:
        at = self.recorder.writer.now()
        read = getattr(process.matrix, "read", None)
        nine = read() if callable(read) else None
        if isinstance(nine, (list, tuple)) and len(nine) == 9:
            matrix: Fields = {str(i): float(v) for i, v in enumerate(nine)}
            self._write("mnn.ImageProcess.setMatrix", at, {"process": _address(process), "matrix": matrix})
        if isinstance(process.padding, int):
            self._write("mnn.ImageProcess.setPadding", at, {"process": _address(process), "value": process.padding})

    def tensor_made(self, args: tuple[object, ...]) -> None:
        """MNN.Tensor(shape, type, array, dimension type) of the program."""
        if len(args) == 4 and isinstance(args[2], np.ndarray):
            shape: JsonValue = [int(d) for d in args[0]] if isinstance(args[0], (tuple, list)) else None
            fields: Fields = {"shape": shape, "dim_type": plain(args[3]), "array": describe(self.recorder, args[2])}
            self._write("mnn.Tensor.create", self.recorder.writer.now(), fields)


def _session(session: SessionState) -> str:
    return _address(session.handle)


def _address(thing: object) -> str:
    return f"0x{id(thing):x}"


def _address_of(tensor: object) -> str:
    return f"0x{pointer_of(tensor):x}"


def _version() -> str | None:
    ask = getattr(sys.modules.get("MNN"), "version", None)
    return str(ask()) if callable(ask) else None  # older builds have none


def _config(session: SessionState) -> Fields:
    config = session.config if isinstance(session.config, dict) else {}
    backend = config.get("backend", 0)
    number = BACKENDS.get(backend, -1) if isinstance(backend, str) else backend if isinstance(backend, int) else 0
    threads = config.get("numThread", 4)
    precision = config.get("precision", 0)
    fields: Fields = {
        "type": number,
        "mode": threads if isinstance(threads, int) else 4,  # numThread and mode are one union
        "precision": _PRECISION.get(precision, 0) if isinstance(precision, str) else plain(precision),
        "config": plain(config),
    }
    return fields


def _tensor(tensor: MnnTensor, host: bool = True) -> Fields:
    """What a tensor says of itself, in the words of the C++ recorder. host: whether its memory may be looked at."""
    fields: Fields = {"tensor": _address_of(tensor), "shape": [int(d) for d in tensor.getShape()]}
    fields["dim_type"] = int(tensor.getDimensionType())
    view = array_of(tensor) if host else None
    if view is not None:
        fields |= {
            "type_code": _CODES.get(view.dtype.kind, 2),
            "type_bits": 8 * view.dtype.itemsize,
            "size": int(view.nbytes),
        }
        fields["host"] = f"0x{view.__array_interface__['data'][0]:x}"
    return fields


def trace_modules(module: ModuleType, recorder: Recorder) -> Callable[[], None]:
    """Record `MNN.nn.load_module_from_file`, and the forward calls of what it returns."""
    original = module.nn.load_module_from_file

    def load_module_from_file(
        file_name: str, input_names: list[str], output_names: list[str], **kwargs: object
    ) -> object:
        at = recorder.writer.now()
        target = original(file_name, input_names, output_names, **kwargs)
        fields: Fields = {"net": recorder.number(target), "path": str(file_name), "version": _version()}
        fields |= {"inputs": plain(input_names), "arguments": plain(kwargs)}
        recorder.writer.event("mnn.Module.load", fields, at=at)
        return TracedModule(target, recorder, list(input_names))

    return replace_attribute(module.nn, "load_module_from_file", load_module_from_file)


class TracedModule(ModuleCalls):
    """A module whose calls are recorded; everything else is its own."""

    def __init__(self, target: MnnModule, recorder: Recorder, names: list[str]) -> None:
        self._target = target
        self._recorder = recorder
        self._names = names

    def _run(self, call: Run, given: object) -> object:
        recorder = self._recorder
        at = recorder.writer.now()
        items = list(given) if isinstance(given, (list, tuple)) else [given]
        inputs: list[JsonValue] = [
            _variable(recorder, v, self._names[i] if i < len(self._names) else "") for i, v in enumerate(items)
        ]
        result = call(given)
        fields: Fields = {
            "net": recorder.number(self._target),
            "inputs": inputs,
            "d": recorder.writer.now() - at,
            "ret": 0,
        }
        recorder.writer.event("mnn.Module.forward", fields, at=at)
        recorder.runs += 1
        return result


def _is_var(thing: object) -> TypeGuard[MnnVar]:
    return hasattr(thing, "data_format")


def _variable(recorder: Recorder, var: object, name: str) -> JsonValue:
    if not _is_var(var):
        return {"name": name, "type": type(var).__name__}
    array = np.asarray(var.read())
    words = {"data_format": word_of(var.data_format), "dtype": word_of(var.dtype)}
    shape: list[JsonValue] = [int(d) for d in var.shape]
    return {"name": name, "shape": shape, **words, **recorder.content(array)}

"""A call of rknn-toolkit's config(), read from a Python file by its syntax tree; the file is never executed.

Formula: (x − mean_values) / std_values, applied inside the model or its runtime, one list for each input. The first
generation has reorder_channel ('2 1 0': its runtime exchanges R and B); the second has quant_img_RGB2BGR, which turns
calibration pictures round and nothing else. Sources: rknn-toolkit2 2.5.0 signature of config() and measured: flat lists
are taken; rknn-toolkit 1.7 user guide, config.
"""

from __future__ import annotations

from prepcheck.errors import CorruptError, UsageError
from prepcheck.importers import pycalls
from prepcheck.importers.document import Document, Path, Plain
from prepcheck.importers.imported import Imported, short
from prepcheck.importers.pycalls import Argument, Call
from prepcheck.importers.values import clean, divisors, numbers, unit_doubt

TITLE = "a call of rknn-toolkit's config()"
FORMULA = "(x - mean_values) / std_values, inside the model"
KEYS = frozenset({
    "mean_values", "std_values", "quantized_dtype", "quantized_algorithm", "quantized_method", "quantized_hybrid_level",
    "target_platform", "quant_img_RGB2BGR", "float_dtype", "optimization_level", "custom_string", "remove_weight",
    "compress_weight", "inputs_yuv_fmt", "single_core_mode", "dynamic_input", "model_pruning", "op_target", "quantize_weight",
    "remove_reshape", "sparse_infer", "mini_rknn", "enable_flash_attention",
})  # fmt: skip
"""Keywords of the second generation (inspect.signature of rknn-toolkit2 2.5.0)."""
FIRST = frozenset(
    {"reorder_channel", "channel_mean_value", "epochs", "batch_size", "need_horizontal_merge", "force_builtin_perm"}
)
"""Keywords that only the first generation has (rknn-toolkit 1.0 to 1.7)."""
OPTIONS = ("quantized_dtype", "quantized_algorithm", "quantized_method", "inputs_yuv_fmt", "dynamic_input", "float_dtype",
           "reorder_channel", "custom_string", "mini_rknn", "optimization_level")  # fmt: skip


def recognises(document: Document) -> bool:
    """A Python file with a call of config() that has one of the toolkit's keywords."""
    return document.form == "python"


def read(document: Document) -> Imported:
    """The plan. Raises UsageError for a file without such a call, CorruptError for one that contradicts itself."""
    tree = pycalls.parse(document.text, document.name)
    found = [
        c
        for c in pycalls.calls(tree, document.text, document.name, "config")
        if c.open or set(c.arguments) & (KEYS | FIRST)
    ]
    found = [c for c in found if set(c.arguments) & (KEYS | FIRST)] or found
    if not found:
        raise UsageError(
            f"{document.name}: no call of config() with mean_values, std_values or target_platform is in it"
        )
    _same(document, found)
    return _Reader(document, found[0]).read()


def _same(document: Document, found: list[Call]) -> None:
    for other in found[1:]:
        for key in sorted(set(found[0].arguments) | set(other.arguments)):
            one, two = found[0].arguments.get(key), other.arguments.get(key)
            if (one and (one.value, one.why is None)) != (two and (two.value, two.why is None)):
                raise CorruptError(
                    f"{document.name}:{other.line}:{other.column}: a second call of config() says other things than the one in line "
                    f"{found[0].line} ({key}: {_shown(one)} there, {_shown(two)} here); the last call before build() counts: "
                    "give a file with one of them"
                )


def _shown(argument: Argument | None) -> str:
    return "nothing" if argument is None else argument.text[:60] or short(argument.value)


class _Reader:
    def __init__(self, document: Document, call: Call) -> None:
        self.call = call
        self.document = Document(document.name, "python", document.text, None, _places(call))
        self.found = Imported(TITLE, document.name, FORMULA)

    def read(self) -> Imported:
        found, call = self.found, self.call
        first = sorted(FIRST & set(call.arguments))
        second = sorted(
            {"quant_img_RGB2BGR", "quantized_algorithm", "quantized_method", "dynamic_input"} & set(call.arguments)
        )
        if "reorder_channel" in call.arguments and "quant_img_RGB2BGR" in call.arguments:
            self.document.fail(
                ("quant_img_RGB2BGR",),
                "belongs to rknn-toolkit2 and reorder_channel "
                f"(line {self.document.line('reorder_channel')}) to rknn-toolkit 1: no version takes both",
            )
        if call.positional:
            found.unknown.append(
                f"{call.positional} argument(s) without a name ({self.where()}): give them by their names"
            )
        if call.open:
            found.unknown.append(f"further keywords come from somewhere else (`**…`, {self.where()})")
        for key, argument in call.arguments.items():
            if argument.why is not None:
                found.unknown.append(f"{key} ({self.document.at(key)}: {argument.text or '…'}): {argument.why}")
            if key not in KEYS | FIRST:
                found.doubts.append(f"{key} ({self.document.at(key)}) is no keyword of config() that is known here")
        found.plan["runtime"] = "rknn1" if first and not second else "rknn"
        platform = self.text("target_platform")
        if platform is not None:
            found.plan["platform"] = platform.lower()
            found.said("platform", self.document, "target_platform", value=platform)
        build = self.build()
        found.plan["model"] = {"build": build} if build else {}
        found.unknown.extend(
            [
                "colour order, range and resize of training: the call does not say them; add `training:` under model",
                "what the application does: add `steps:`; the model applies mean and std itself, so it hands over pixels 0..255",
            ]
        )
        return found

    def where(self) -> str:
        return f"{self.document.name}:{self.call.line}:{self.call.column}"

    def value(self, key: str) -> Plain:
        argument = self.call.arguments.get(key)
        return argument.value if argument is not None and argument.why is None else None

    def text(self, key: str) -> str | None:
        value = self.value(key)
        if value is None:
            return None
        if not isinstance(value, str):
            # the first generation takes a list of chips (rknn-toolkit 1.6: target_platform=['rk1808'])
            if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
                return value[0]
            self.document.fail((key,), f"{short(value)}: one text is expected")
        return value

    def build(self) -> dict[str, Plain]:
        mean, std = self.lists("mean_values"), self.lists("std_values")
        if self.value("channel_mean_value") is not None:
            mean, std = self.old(mean, std)
        if mean is not None and std is not None:
            self.agree(mean, std)
        build: dict[str, Plain] = {}
        for key, lists in (("mean", mean), ("std", std)):
            if lists is not None:
                build[key] = [[clean(v) for v in item] for item in lists]
        if not any(self.call.arguments[k].why for k in ("mean_values", "std_values") if k in self.call.arguments):
            if (mean is None) != (std is None) and not self.call.open:
                there, other = ("mean", "std") if std is None else ("std", "mean")
                lists = mean or std or []
                build[other] = [[1 if other == "std" else 0] * len(item) for item in lists]
                self.found.words[f"model.build.{other}"] = (
                    f"{other}_values is not given: the toolkit takes {'1' if other == 'std' else '0'} beside {there}_values"
                )
            elif mean is None and std is None and not self.call.open:
                self.found.unknown.append(
                    "mean_values and std_values are not given: the toolkit then does nothing to the values; write "
                    "`build: {mean: [[0, 0, 0]], std: [[1, 1, 1]]}` with one list for each input"
                )
        self.swaps(build)
        build |= self.options()
        return build

    def swaps(self, build: dict[str, Plain]) -> None:
        swap = self.value("quant_img_RGB2BGR")
        if swap is not None:
            flags = swap if isinstance(swap, list) else [swap]
            if not all(isinstance(v, bool) for v in flags):
                self.document.fail(
                    ("quant_img_RGB2BGR",), f"{short(swap)}: true or false is expected, or a list of them"
                )
            build["rgb2bgr"] = swap
            self.found.said("model.build.rgb2bgr", self.document, "quant_img_RGB2BGR", value=swap)
            if any(flags):
                self.found.doubts.append(
                    f"quant_img_RGB2BGR ({self.document.at('quant_img_RGB2BGR')}) turns the calibration pictures round and nothing "
                    "else: mean and std are then in BGR order, and the application has to hand over BGR"
                )
        order = self.text("reorder_channel")
        if order is not None:
            for part in order.split("#"):  # one for each input, parted by '#' (rknn-toolkit 1 user guide)
                if part.split() not in (["0", "1", "2"], ["2", "1", "0"], ["0", "1", "2", "3"], []):
                    self.document.fail(
                        ("reorder_channel",), f"{order[:60]!r}: '0 1 2' or '2 1 0' for each input is expected"
                    )
            if "2 1 0" in " ".join(order.split()):
                self.found.doubts.append(
                    f"reorder_channel '2 1 0' ({self.document.at('reorder_channel')}): the runtime itself exchanges R and B; an "
                    "application that does it too hands over the wrong order"
                )

    def options(self) -> dict[str, Plain]:
        said: list[Plain] = []
        for key in OPTIONS:
            argument = self.call.arguments.get(key)
            if argument is not None and argument.why is None and argument.value is not None:
                said.append(f"{key}={short(argument.value)}")
        return {"options": said} if said else {}

    def lists(self, key: str) -> list[list[float]] | None:
        """One list for each input. A flat list of numbers is that of a single input (measured: 2.5.0 takes it)."""
        value = self.value(key)
        if value is None:
            return None
        read = divisors if key == "std_values" else numbers
        if not isinstance(value, list) or not value:
            self.document.fail(
                (key,),
                f"{short(value)}: a list for each input is expected, as [[0, 0, 0]] (the toolkit refuses a number)",
            )
        self.found.said(f"model.build.{key.partition('_')[0]}", self.document, key, value=value)
        if all(isinstance(v, (int, float)) for v in value):
            return [read(self.document, value, (key,))]
        if len(value) > 32:
            self.document.fail((key,), f"{len(value)} inputs")
        found = []
        for i, item in enumerate(value):
            if not isinstance(item, list):
                self.document.fail((key, i), f"{short(item)} stands among lists: one list for each input is expected")
            found.append(read(self.document, item, (key, i)))
        return found

    def agree(self, mean: list[list[float]], std: list[list[float]]) -> None:
        line = self.document.line("mean_values")
        if len(mean) != len(std):
            self.document.fail(
                ("std_values",),
                f"{len(std)} lists beside {len(mean)} of mean_values (line {line}): one for each input in both",
            )
        for i, (m, s) in enumerate(zip(mean, std, strict=True)):
            if len(m) != len(s):
                self.document.fail(
                    ("std_values", i),
                    f"{len(s)} values beside {len(m)} of mean_values[{i}] (line {line}): one for each channel in both",
                )
            doubt = unit_doubt(m, s)
            if doubt:
                self.found.doubts.append(
                    f"input {i}: {doubt} ({self.document.at('mean_values')}, {self.document.at('std_values')})"
                )

    def old(
        self, mean: list[list[float]] | None, std: list[list[float]] | None
    ) -> tuple[list[list[float]] | None, list[list[float]] | None]:
        """channel_mean_value='M0 M1 M2 S': means and one divisor for all channels, inputs parted by '#' (rknn-toolkit 1.0)."""
        key = "channel_mean_value"
        if mean is not None or std is not None:
            self.document.fail(
                (key,), "stands beside mean_values or std_values, which replaced it: no version uses both"
            )
        text = self.text(key) or ""
        means, stds = [], []
        for part in text.split("#"):
            try:
                values = [float(v) for v in part.split()]
            except ValueError:
                values = []
            if len(values) not in (2, 4) or values[-1] == 0 or not all(abs(v) < 1e9 for v in values):
                self.document.fail((key,), f"{text[:60]!r}: means and one divisor are expected, as '0 0 0 255'")
            means.append(values[:-1])
            stds.append([values[-1]] * (len(values) - 1))
        self.found.said("model.build.mean", self.document, key, value=text)
        return means, stds


def _places(call: Call) -> dict[Path, tuple[int, int]]:
    return {(key,): (a.line, a.column) for key, a in call.arguments.items()}

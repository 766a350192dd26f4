"""Answers that people write down: in sentences, tables, numpy's prints over several lines, class and score side by side.

An event `answer` (image, run, scores, classes, place) for each. Read is only a line that names a picture or a run, and whose
numbers can be nothing else: with a point, no unit behind them, no words between that are not those of an answer. Time
stamps, sizes, shapes, versions and durations are none. place: where the words say that it was computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prepcheck.facts.log import Field, LogEvent

MAX_ANSWERS = 500
"""Answers of one text that are read."""
MAX_LINES = 5000
"""Lines of one text that are looked at: what people write down is shorter, what is longer is a program's log."""
MAX_NUMBERS = 2000
"""Numbers of one answer that are read."""
MAX_ROWS = 80
"""Lines over which one printed array may go."""
_NEAR = 3
"""Lines between the name of a picture and the array or the classes that belong to it."""
_HEADING = 12
"""Lines for which a heading ("on the board:") counts."""

_FLOAT = r"(?:[+-]?(?:\d{1,9}\.\d{0,18}|\.\d{1,18})(?:[eE][+-]?\d{1,3})?|[+-]?\d{1,9}[eE][+-]?\d{1,3})"
_NUMBER = rf"(?:{_FLOAT}|[+-]?\d{{1,9}})"
_LIST = rf"(?:array\s*\(\s*)?[\[(]{{1,3}}\s*{_NUMBER}(?:[\s,;]+{_NUMBER}){{0,{MAX_NUMBERS}}}\s*[\])]{{1,3}}(?:\s*,\s*dtype=\w+\s*\)?)?\)?"
_BARE = rf"{_FLOAT}(?:(?:\s*[,;|/]\s*|\s+)(?:{_FLOAT}|[01])(?![\w:]|\.\w)){{0,63}}"
_ONE = re.compile(rf"(?<![\w.:]){_NUMBER}(?![\w:]|\.\d)")
_FILE = r"[^\s\"'<>|:,;()\[\]=]+\.(?:jpe?g|png|bmp|webp|npy)"
_ORDINAL = r"(?:\d{1,4}|[A-Za-z]|[一二三四五六七八九十])"
_PICTURE = rf"{_FILE}|(?:image|img|picture|pic|photo|frame|sample|图片|图像|图|照片|样本)\s*[#_]?\s*{_ORDINAL}(?![\w.])|第\s*{_ORDINAL}\s*[张幅](?:图片?|照片)?|[A-C]\d?(?=\s*[:=>-])"
_RUN = rf"(?:run|inference|iteration|time|round|推理)\s*#?\s*(\d{{1,4}})|(first|second|third|fourth)\s+(?:run|time|inference)|第\s*({_ORDINAL})\s*[次遍]"
_WORDS = (
    r"->|=>|→|⇒|-->|[:=|,>-]|gives?|gave|yields?|is|was|are|the|outputs?|results?|answers?|scores?|prob(?:abilit(?:y|ies)|s)?|predict(?:ions?|ed|s)?"
    r"|returns?|returned|got|gets|softmax|logits?|for|of|on|at|in|after|again|still|also|always|float|int8|quantized|board|device|simulator|pc|npu|rk\d{4}\w?"
    r"|rv\d{4}\w?|结果|输出|得到|得分|分数|概率|为|是|的|推理|预测|模拟器|仿真|板子|板端|板上|开发板|设备|上|都|仍然|还是"
)
_GLUE = rf"(?:\s*(?:{_WORDS}|{_RUN})(?![a-z])){{0,8}}\s*"
_NAME_FIRST = re.compile(
    rf"^\W{{0,6}}(?:(?:{_WORDS})\s*){{0,6}}?(?P<image>{_PICTURE})[\"'`*)\]]{{0,3}}(?P<glue>{_GLUE})(?P<numbers>{_LIST}|{_BARE})\s*(?P<rest>.*)$",
    re.I,
)
_NAME_LAST = re.compile(
    rf"^\W{{0,6}}?(?P<glue>{_GLUE})(?P<numbers>{_LIST}|{_BARE})\s*(?:<-|for|from|on|with|of|at|:|in|\()\s*(?:the\s+)?[\"'`(]?(?P<image>{_PICTURE}(?!\s*[:=]))(?P<rest>.*)$",
    re.I,
)
_RUN_FIRST = re.compile(
    rf"^\W{{0,6}}(?P<run>{_RUN})(?P<glue>{_GLUE})(?P<numbers>{_LIST}|{_BARE})\s*(?P<rest>.*)$", re.I
)
_ROW = re.compile(r"^\|?(?P<cells>[^|]{1,120}(?:\|[^|]{0,60}){1,64})\|?\s*$")
_IMAGE_HEAD = re.compile(r"image|picture|photo|file|img|图|照片|样本|sample", re.I)
_NO_SCORE_HEAD = re.compile(
    r"time|\bms\b|fps|size|date|version|shape|width|height|latency|byte|时间|耗时|大小|尺寸|版本|scale|zp|max|mean|std",
    re.I,
)
_OPENS = re.compile(rf"^(?P<before>.{{0,60}}?)(?:array\s*\(\s*)?(?P<array>\[{{1,4}}\s*{_NUMBER}[\s,\d.eE+\-\[\]]*)$")
_INSIDE = re.compile(r"^[\s,\d.eE+\-\[\]]+(?:,\s*dtype=\w+\s*)?\)?$")
_NAMED = re.compile(rf"^\W{{0,6}}(?:(?:{_WORDS}|{_RUN})\s*){{0,6}}(?P<image>{_PICTURE})(?P<glue>{_GLUE})[\W]*$", re.I)
_ANY_FILE = re.compile(_FILE, re.I)
_CLASS = r"(?:class(?:_?id)?|label(?:_?id)?|cls(?:_?id)?|index|类别|类)"
_SCORE = r"(?:score|prob(?:ability)?|conf(?:idence)?|置信度|得分|分数|概率)"
_CLASS_SCORE = re.compile(
    rf"{_CLASS}\s*[:=]?\s*(?P<c1>\d{{1,5}})(?![\w.])\W{{1,6}}{_SCORE}\s*[:=]?\s*(?P<s1>{_FLOAT})(?![\w.%])"
    rf"|{_SCORE}\s*[:=]?\s*(?P<s2>{_FLOAT})(?![\w.%])\W{{1,6}}{_CLASS}\s*[:=]?\s*(?P<c2>\d{{1,5}})(?![\w.])", re.I
)  # fmt: skip
_ANSWER_WORD = re.compile(r"output|result|answer|score|logit|prob|predict|softmax|输出|结果|得分|概率|预测", re.I)
_NO_ANSWER = re.compile(
    r"shape|dims?\b|size|bbox|\bbox|rect|mean|std|scale|\bzp\b|zero.?point|anchor|stride|time|cost|elapsed|crop|roi|pad|anchors|version|range|min|max"
    r"|psnr|cosine|similarity|accuracy|loss|均值|方差|尺寸|大小|耗时|时间|版本|坐标|形状|相似度|误差", re.I
)  # fmt: skip
_ARROW = re.compile(r"->|=>|→|⇒|gives?\b|gave\b")
_SIMULATOR = re.compile(r"simulat|模拟器|仿真", re.I)
_BOARD = re.compile(r"\bboard|\bdevice|\bnpu\b|\brk\d{4}|\brv\d{4}|板|设备", re.I)
_REFERENCE = re.compile(
    r"onnx|pytorch|torch|tensorflow|keras|tflite|caffe|expected|should be|correct|ground.?truth|reference|期望|应该|正确|参考|原始模型",
    re.I,
)
_ANY_PLACE = re.compile("|".join((_REFERENCE.pattern, _SIMULATOR.pattern, _BOARD.pattern)), re.I)
_ENDINGS = (".jp", ".png", ".bmp", ".webp", ".npy")
_CLASS_WORDS = ("class", "label", "cls", "index", "类")
"""Small letters of which one stands in every line that gives a class and its score."""
_SIGN_WORDS = (*_ENDINGS, "image", "img", "pic", "photo", "frame", "sample", "run", "inference", "iteration", "time", "round", "first", "second",
               "third", "fourth")  # fmt: skip
"""Small letters of which one stands in every ASCII line that names a picture or a run, but for `A:` and the like."""
_LETTER = re.compile(r"(?:.{0,24}\s|\W{0,6})[A-C]\d?\W{0,3}\s*[:=>-]", re.I)
_WHOLE = re.compile(rf"^(?P<before>.{{0,60}}?)(?P<array>{_LIST})\W*$")
_SHORT = 80
"""Characters up to which a line without numbers of an answer may be a heading or the name of a picture."""
_COUNT = {"first": 1, "second": 2, "third": 3, "fourth": 4, **{c: i for i, c in enumerate("一二三四五六七八九十", 1)}}


def events(lines: Sequence[tuple[int, str]], file: int) -> Iterator[LogEvent]:
    """The answers of a text given as (number, line)."""
    reader = _Reader(lines[:MAX_LINES], file)
    yield from reader.read()


class _Reader:
    """One text. image, at: the picture named last, and its line; place, placed: the place named last, and its line."""

    def __init__(self, lines: Sequence[tuple[int, str]], file: int) -> None:
        self.lines = lines
        self.file = file
        self.image: str | None = None
        self.run: int | None = None
        self.at = -1000
        self.place: str | None = None
        self.placed = -1000
        self.head: list[str] = []
        self.pairs: list[tuple[int, int, float]] = []

    def read(self) -> Iterator[LogEvent]:
        """The answers, at most MAX_ANSWERS."""
        given, i = 0, 0
        while i < len(self.lines) and given < MAX_ANSWERS:
            number, text = self.lines[i]
            if len(text) > 1000 or not text:
                i += 1
                continue
            found, used = self._line(i, number, text)
            before = None
            if found or not self._pending(number, text):
                before = self._flush()
                if not found:
                    self._pending(number, text)
            for event in (before, *found):
                if event is not None:
                    given += 1
                    yield event
            if not found:
                self._remember(number, text)
            i += used
        last = self._flush()
        if last is not None and given < MAX_ANSWERS:
            yield last

    def _line(self, i: int, number: int, text: str) -> tuple[list[LogEvent], int]:
        """The answers of a line, and how many lines they took."""
        if "|" in text and (row := self._row(number, text)):
            return row, 1
        if not any(c.isdigit() for c in text):
            return [], 1
        if ("." in text or "[" in text) and _signed(text):
            for pattern in (_NAME_FIRST, _NAME_LAST, _RUN_FIRST):
                match = pattern.match(text)
                if match is not None and (event := self._matched(number, text, match)) is not None:
                    return [event], 1
        if "[" in text:
            array, used = self._array(i, number, text)
            return [array] if array is not None else [], used
        return [], 1

    def _matched(self, number: int, text: str, match: re.Match[str]) -> LogEvent | None:
        groups = match.groupdict()
        rest = match["rest"].strip(" .,;!)]\"'`|*(")
        if rest and not re.fullmatch(
            rf"(?:(?:{_WORDS}|{_RUN}|wrong|right|too|again|every time|不对|错误|正确)\W*){{1,8}}", rest, re.I
        ):
            return None
        before = text[: match.start("numbers")] + " " + rest
        scores = self._numbers(match["numbers"], before)
        if scores is None or _NO_ANSWER.search(_ANY_FILE.sub("", before)):
            return None
        image = groups.get("image")
        run = _run_of(text)
        if image is None:
            image = self.image if number - self.at <= _HEADING else None
        else:
            self.image, self.at = _name(image), number
        return self._event(number, text, _name(image) if image else None, run, scores, [])

    def _numbers(self, text: str, around: str) -> list[float] | None:
        """The numbers, where they can be an answer: one has a point, or the words say that it is one."""
        words = _ONE.findall(text)
        if not words or len(words) > MAX_NUMBERS:
            return None
        pointed = any("." in w or "e" in w.lower() for w in words)
        bracketed = text.lstrip("ary( ")[:1] == "["
        if not pointed and not (bracketed and len(words) > 1 and _ANSWER_WORD.search(around)):
            return None
        values = [float(w) for w in words]
        if len(values) == 1 and not (_ANSWER_WORD.search(around) or (0 <= values[0] <= 1 and _ARROW.search(around))):
            return None
        return values

    def _row(self, number: int, text: str) -> list[LogEvent]:
        """A row of a table whose first cell names a picture: one answer, or one for each column that holds a whole list."""
        if _ROW.match(text.strip()) is None:
            return []
        cells = [c.strip(" `*") for c in text.strip().strip("|").split("|")]
        if all(re.fullmatch(r":?-{2,}:?|", c) for c in cells):
            return []
        picture = re.fullmatch(_PICTURE.replace(r"(?=\s*[:=>-])", ""), cells[0], re.I)
        headed = (
            bool(self.head) and bool(_IMAGE_HEAD.search(self.head[0])) and re.fullmatch(r"[\w.\- ]{1,40}", cells[0])
        )
        if not (picture or headed):
            if not any(_ONE.fullmatch(c) for c in cells):
                self.head = cells
            return []
        heads = [*self.head, *[""] * len(cells)]
        told = [(heads[k], c) for k, c in enumerate(cells) if k and not _NO_SCORE_HEAD.search(heads[k])]
        columns = [(h, c) for h, c in told if re.fullmatch(rf"{_LIST}|{_BARE}|[01]", c)]
        if len(columns) < len([c for _, c in told if _ONE.search(c)]) and not self.head:
            return []
        whole = [(h, c) for h, c in columns if len(_ONE.findall(c)) > 1]
        found = []
        for head, cell in (
            whole if len(whole) > 1 else [(" ".join(h for h, _ in columns), " ".join(c for _, c in columns))]
        ):
            scores = self._numbers(cell, head)
            if scores is not None:
                found.append(
                    self._event(number, f"{head} {text}" if len(whole) > 1 else text, _name(cells[0]), None, scores, [])
                )
        return found

    def _array(self, i: int, number: int, text: str) -> tuple[LogEvent | None, int]:
        """An array as numpy prints it, over one line or several; the picture was named on the lines before, or before it."""
        match = _OPENS.match(text) or _WHOLE.match(text)
        if match is None:
            return None, 1
        before, taken = match["before"], match["array"]
        if _NO_ANSWER.search(_ANY_FILE.sub("", before)) or "dtype" in before:
            return None, 1
        used = 1
        while taken.count("[") > taken.count("]") and used < MAX_ROWS and i + used < len(self.lines):
            number_, more = self.lines[i + used]
            if not _INSIDE.match(more) or number_ - number > 2 * MAX_ROWS:
                return None, 1
            taken += " " + more
            used += 1
        if taken.count("[") > taken.count("]"):
            return None, 1
        named = re.search(_FILE, before, re.I)
        near = self.image if number - self.at <= _NEAR else None
        image = _name(named[0]) if named else near
        scores = self._numbers(taken.partition("dtype")[0], before + " output" if image else before)
        run = _run_of(before) or (self.run if near else None)
        if (
            scores is None
            or (image is None and run is None)
            or not all("." in w or "e" in w for w in _ONE.findall(taken)[:2])
        ):
            return None, used
        return self._event(number, text, image, run, scores, []), used

    def _pending(self, number: int, text: str) -> bool:
        """Takes the classes and scores of a line; False where it has none, so that those before make up one answer."""
        lower = text.lower()
        if not any(w in lower for w in _CLASS_WORDS):
            return False
        found = [(m["c1"] or m["c2"], m["s1"] or m["s2"]) for m in _CLASS_SCORE.finditer(text)]
        named = _ANY_FILE.search(text) if found else None
        if not found or (self.pairs and (named is not None or number - self.pairs[-1][0] > 2)):
            return False
        if named is not None:
            self.image, self.at = _name(named[0]), number
        self.pairs += [(number, int(c), float(s)) for c, s in found][: MAX_NUMBERS - len(self.pairs)]
        return True

    def _flush(self) -> LogEvent | None:
        pairs, self.pairs = self.pairs, []
        if not pairs:
            return None
        number = pairs[0][0]
        image = self.image if 0 <= number - self.at <= _NEAR else None
        return self._event(number, "", image, None, [s for _, _, s in pairs], [c for _, c, _ in pairs])

    def _remember(self, number: int, text: str) -> None:
        lower = text.lower()
        named = _NAMED.match(text) if len(text) < _SHORT else None
        if named is None and any(e in lower for e in _ENDINGS):
            named = _ANY_FILE.search(text)
        if named is not None:
            self.image, self.at = _name(named.groupdict().get("image") or named[0]), number
            self.run = _run_of(text)
        place = _place(text) if len(text) < _SHORT and _ANY_PLACE.search(text) else None
        if place is not None:
            self.place, self.placed = place, number

    def _event(
        self, number: int, text: str, image: str | None, run: int | None, scores: list[float], classes: list[int]
    ) -> LogEvent:
        place = (
            _place(_ANY_FILE.sub("", text)) or (self.place if number - self.placed <= _HEADING else None) or "program"
        )
        fields: dict[str, Field] = {"scores": scores, "classes": list(classes), "place": place}
        if image is not None:
            fields["image"] = image
        if run is not None:
            fields["run"] = run
        return LogEvent(
            "answer", "fact", self.file, number, text.strip()[:260], fields, None, "written down by a person"
        )


def _signed(text: str) -> bool:
    """Whether a line may name a picture or a run."""
    lower = text.lower()
    return not text.isascii() or any(w in lower for w in _SIGN_WORDS) or _LETTER.match(text) is not None


def _place(text: str) -> str | None:
    for place, pattern in (("reference", _REFERENCE), ("simulator", _SIMULATOR), ("board", _BOARD)):
        if pattern.search(text):
            return place
    return None


def _run_of(text: str) -> int | None:
    match = re.search(_RUN, text, re.I)
    word = next((g for g in match.groups() if g), "") if match else ""
    return int(word) if word.isdigit() else _COUNT.get(word.lower())


def _name(image: str) -> str:
    return " ".join(image.replace("\\", "/").rsplit("/")[-1].split()).strip("`*\"'")

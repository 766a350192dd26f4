"""The named refusal: MNN does something here that must not be taken for preprocessing, or that is not computed."""

from __future__ import annotations

from prepcheck.errors import PrepcheckError


class Unsupported(PrepcheckError):
    """convert() does not compute this configuration.

    reason: what MNN does instead, in plain words. rule_id: the rule that says so (`mnn:I9`).
    """

    code = "plan"

    def __init__(self, reason: str, rule_id: str) -> None:
        super().__init__(f"ImageProcess is not computed here ({rule_id}): {reason}")
        self.reason = reason
        self.rule_id = rule_id

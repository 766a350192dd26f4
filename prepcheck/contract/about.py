"""About: where a plan comes from. Told to readers and kept; no rule judges it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from prepcheck.contract.base import Document


class Origin(Document):
    """One place where a fact of the plan is published. says: what is found there. confidence: H, M or L."""

    url: str
    says: str | None = None
    confidence: Literal["H", "M", "L"] | None = None


class About(Document):
    """A ready plan's publications, or an imported plan's original words.

    title: what the plan is for; aliases: other names of a ready plan. multiple_of: the network takes every size whose
    sides are multiples of this, so the size in the steps is the published one and follows the model at hand.
    format, file, formula: what a plan was imported from, and that format's own arithmetic. words: key of the plan → how
    the file said it.
    """

    title: str | None = None
    aliases: list[str] = Field(default_factory=list)
    sources: list[Origin] = Field(default_factory=list)
    multiple_of: Annotated[int, Field(ge=1, le=4096)] | None = None
    format: str | None = None
    file: str | None = None
    formula: str | None = None
    words: dict[str, str] = Field(default_factory=dict)

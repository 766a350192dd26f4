"""All single mistakes that are put into right RKNN plans; each names the rules that may say it."""

from __future__ import annotations

from tests.plans import rknn_inference_mutations, rknn_memory_mutations, rknn_set_mutations
from tests.plans.mutating import MUTATIONS, Mutation, mutated

PARTS = (rknn_set_mutations, rknn_memory_mutations, rknn_inference_mutations)
"""Importing them fills MUTATIONS."""

__all__ = ["MUTATIONS", "PARTS", "Mutation", "mutated"]

"""Size explanation as a search: which faults make two byte counts differ, with equations and probabilities."""

from prepcheck.evidence.sizes.explain import explain_size
from prepcheck.evidence.sizes.result import Part, Reading, Remark, SizeExplanation

__all__ = ["Part", "Reading", "Remark", "SizeExplanation", "explain_size"]

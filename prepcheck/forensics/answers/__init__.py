"""From the answer seen to the fault: every transformation of the vocabulary run forward through the model, then weighed."""

from prepcheck.forensics.answers.hypotheses import Hypothesis, hypotheses_for
from prepcheck.forensics.answers.likelihood import weigh
from prepcheck.forensics.answers.model import FLOAT, QUANTIZED, Noise, Ranked, Seen, Weighed
from prepcheck.forensics.answers.priors import AS_PLANNED

__all__ = [
    "AS_PLANNED",
    "FLOAT",
    "QUANTIZED",
    "Hypothesis",
    "Noise",
    "Ranked",
    "Seen",
    "Weighed",
    "hypotheses_for",
    "weigh",
]

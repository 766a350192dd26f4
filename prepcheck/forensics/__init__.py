"""From the submitted bytes to the fault: which transformations turn the expected buffer into the one submitted."""

from prepcheck.forensics.card import test_card
from prepcheck.forensics.diagnose import diagnose
from prepcheck.forensics.model import (
    BufferSpec,
    Diagnosis,
    Difference,
    Effect,
    Expected,
    Fault,
    Geometry,
)

__all__ = ["BufferSpec", "Diagnosis", "Difference", "Effect", "Expected", "Fault", "Geometry", "diagnose", "test_card"]

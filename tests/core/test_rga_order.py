"""Colour orders around an RGA call: what the destination holds in truth, followed channel by channel."""

from __future__ import annotations

from itertools import product

from prepcheck.core import rga_order
from prepcheck.core.rga_formats import FORMATS
from prepcheck.core.rga_order import OrderFault, order_fault

NAMES = {"RGB": "RGB_888", "BGR": "BGR_888", "RGBA": "RGBA_8888", "BGRA": "BGRA_8888", "NV12": "YCbCr_420_SP", "NV21": "YCrCb_420_SP",
         "I420": "YCbCr_420_P", "YUYV": "YUYV_422", "GRAY": "YCbCr_400"}  # fmt: skip
UNNAMED = FORMATS["RGB_565"]


def fault(source_color: str | None, said: str, dest_color: str | None, told: str) -> OrderFault | None:
    return order_fault(source_color, FORMATS[NAMES[said]], dest_color, FORMATS[NAMES[told]])


def moved(real: str, said: str, told: str) -> str:
    """RGA takes the channels where `said` has them and puts them where `told` wants them; the buffer holds `real`."""
    if said == told:
        return real
    return "".join(real[said.index(letter)] for letter in told)


def test_orders_that_differ_in_two_exchanged_channels() -> None:
    assert rga_order.TWINS == {
        "RGB": "BGR",
        "BGR": "RGB",
        "RGBA": "BGRA",
        "BGRA": "RGBA",
        "NV12": "NV21",
        "NV21": "NV12",
    }
    assert frozenset({"NV12", "NV21", "I420"}) == rga_order.PLANES


def test_a_source_told_in_the_wrong_order_is_followed_to_the_destination() -> None:
    for family in (("RGB", "BGR"), ("RGBA", "BGRA")):
        for real, said, told, dest in product(family, family, family, (*family, None)):
            found = fault(real, said, dest, told)
            holds = moved(real, said, told)
            case = (real, said, told, dest)
            if dest is not None:
                assert (found is None) == (holds == dest), case
            if found is not None:
                assert found.result == holds, case
                assert found.sure == (dest is not None), case
                assert (found.side, found.said, found.real) == (
                    ("src", said, real) if real != said and said != told else ("dst", dest, holds)
                ), case


def test_a_wrong_order_whose_destination_states_nothing_breaks_only_the_formats_name() -> None:
    assert fault("BGR", "RGB", None, "BGR") == OrderFault("src", "RGB", "BGR", "RGB", False)
    assert fault("BGR", "RGB", "BGR", "BGR") == OrderFault("src", "RGB", "BGR", "RGB", True)
    assert fault("BGR", "RGB", "RGB", "BGR") is None
    assert fault("BGR", "RGB", None, "RGB") is None  # passes through
    assert fault("BGR", "RGB", "BGR", "RGB") is None
    assert fault("BGR", "RGB", "RGB", "RGB") == OrderFault("dst", "RGB", "BGR", "BGR", True)


def test_chroma_orders() -> None:
    assert fault("NV21", "NV12", "NV12", "NV12") == OrderFault("dst", "NV12", "NV21", "NV21", True)
    assert fault("NV21", "NV12", None, "NV21") == OrderFault("src", "NV12", "NV21", "NV12", False)
    assert fault("NV21", "NV12", "RGB", "RGB") == OrderFault("src", "NV12", "NV21", None, True)  # no order explains it


def test_a_format_of_another_kind_is_explained_by_no_order() -> None:
    assert fault("RGB", "RGBA", None, "RGB") == OrderFault("src", "RGBA", "RGB", None, True)
    assert fault("I420", "NV12", None, "RGB") == OrderFault("src", "NV12", "I420", None, True)
    assert fault("RGB", "NV12", None, "NV12") == OrderFault("src", "NV12", "RGB", None, True)
    assert fault("GRAY", "RGB", "RGB", "RGB") == OrderFault("src", "RGB", "GRAY", None, True)
    assert fault("NV12", "YUYV", "RGB", "RGB") == OrderFault("src", "YUYV", "NV12", None, True)
    assert fault("BGR", "RGB", None, "NV12") == OrderFault("src", "RGB", "BGR", None, True)
    assert order_fault("BGR", FORMATS["RGB_888"], None, UNNAMED) == OrderFault("src", "RGB", "BGR", None, True)
    assert fault("NV21", "NV12", None, "I420") == OrderFault("src", "NV12", "NV21", None, True)


def test_the_luma_plane_alone_may_be_taken_as_gray() -> None:
    for planes in ("NV12", "NV21", "I420"):
        assert fault(planes, "GRAY", None, "RGB") is None
        assert fault(planes, "GRAY", "RGB", "RGB") is None
        assert fault("RGB", "RGB", planes, "GRAY") is None
    assert fault("YUYV", "GRAY", None, "RGB") == OrderFault("src", "GRAY", "YUYV", None, True)
    assert fault("RGB", "RGB", "YUYV", "GRAY") == OrderFault("dst", "YUYV", "GRAY", "GRAY", True)
    assert fault("RGB", "RGB", "I420", "NV12") == OrderFault("dst", "I420", "NV12", "NV12", True)


def test_a_destination_that_holds_what_its_format_says_and_not_what_is_wanted() -> None:
    assert fault("RGB", "RGB", "RGB", "BGR") == OrderFault("dst", "RGB", "BGR", "BGR", True)
    assert fault("NV12", "NV12", "BGR", "RGB") == OrderFault("dst", "BGR", "RGB", "RGB", True)
    assert fault(None, "NV12", "BGR", "RGB") == OrderFault("dst", "BGR", "RGB", "RGB", True)
    assert fault("RGB", "RGB", "BGR", "RGB") == OrderFault("dst", "BGR", "RGB", "RGB", True)


def test_no_fault_is_claimed_where_too_little_is_known() -> None:
    assert fault("RGB", "RGB", "RGB", "RGB") is None
    assert fault("RGB", "RGB", None, "BGR") is None
    assert fault(None, "RGB", None, "BGR") is None
    assert fault(None, "RGB", "BGR", "RGB") is None  # both sides may be told in the same other order
    assert order_fault("RGB", FORMATS["RGB_888"], "RGB", UNNAMED) is None
    assert order_fault("RGB", UNNAMED, None, FORMATS["RGB_888"]) is None
    assert order_fault("RGB", UNNAMED, "RGB", UNNAMED) is None
    assert order_fault("BGR", UNNAMED, "BGR", FORMATS["RGB_888"]) == OrderFault("dst", "BGR", "RGB", "RGB", True)

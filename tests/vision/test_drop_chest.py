"""A chest's upper face: pips drawn in any ink are read, digits and plain faces say nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.drop.chest import LAYOUTS, SETTINGS, face_value

WIDE = round(SETTINGS.px * (SETTINGS.inner + SETTINGS.slack) / SETTINGS.inner)


def face(pips, body, ink, blur_px=1.0, turn=0):
    """The inner part of a face, as it is straightened."""
    big = np.full((160, 160, 3), body, np.float32)
    for x, y in pips:
        cv2.circle(big, (round(80 + 32 * x), round(80 + 32 * y)), 10, ink, -1, cv2.LINE_AA)
    reach = round(80 * (SETTINGS.inner + SETTINGS.slack))
    inner = big[80 - reach : 80 + reach, 80 - reach : 80 + reach]
    small = cv2.resize(inner, (WIDE, WIDE), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(cv2.GaussianBlur(small, (0, 0), blur_px), turn))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("turn", range(4))
def test_every_face_is_read_in_every_turn(layout, turn):
    value, pips = layout
    assert face_value(face(pips, (0.1, 0.1, 0.6), (0.5, 0.8, 0.95), turn=turn)) == value


@given(st.sampled_from(LAYOUTS), st.floats(0.5, 1.4), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_dark_ink_blur_and_grain_do_not_matter(layout, blur_px, seed):
    value, pips = layout
    grain = np.random.default_rng(seed).normal(0, 0.01, (WIDE, WIDE, 3)).astype(np.float32)
    assert face_value(face(pips, (0.8, 0.8, 0.7), (0.2, 0.1, 0.1), blur_px) + grain) == value


@pytest.mark.parametrize("digit", "123456")
def test_a_printed_digit_is_no_number_of_pips(digit):
    big = np.full((160, 160, 3), 80, np.uint8)
    (width, height), _ = cv2.getTextSize(digit, cv2.FONT_HERSHEY_DUPLEX, 3.0, 7)
    origin = ((160 - width) // 2, (160 + height) // 2)
    cv2.putText(big, digit, origin, cv2.FONT_HERSHEY_DUPLEX, 3.0, (230, 230, 200), 7, cv2.LINE_AA)
    small = cv2.resize(big[13:147, 13:147], (WIDE, WIDE), interpolation=cv2.INTER_AREA)
    assert face_value(small.astype(np.float32) / 255) is None


def test_a_plain_face_says_nothing():
    grain = np.random.default_rng(1).normal(0.5, 0.02, (WIDE, WIDE, 3)).astype(np.float32)
    assert face_value(grain) is None

"""The photo's way in: correct pictures from every kind of file, one sentence for every kind of rubbish."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pil  # comes with fpdf2; writes the odd kinds of file that OpenCV cannot

from vision.photo import LIMITS, UnreadablePhoto, load_photo
from vision.quality import quality_problems

DEMO = Path(__file__).parents[2] / "web" / "demo" / "drop" / "table-1.jpg"


def scene(width: int = 640, height: int = 480) -> np.ndarray:
    """Red on the left, blue on the right, a white disc in the upper left: which way up can be told."""
    bgr = np.zeros((height, width, 3), np.uint8)
    bgr[:, : width // 2] = (30, 30, 200)
    bgr[:, width // 2 :] = (200, 30, 30)
    cv2.circle(bgr, (width // 4, height // 4), height // 8, (255, 255, 255), -1)
    return bgr


def encoded(bgr: np.ndarray, kind: str = ".png") -> bytes:
    return cv2.imencode(kind, bgr)[1].tobytes()


def pil_bytes(picture: Pil.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def pil_scene() -> Pil.Image:
    return Pil.fromarray(scene()[..., ::-1].copy())


def assert_scene(bgr: np.ndarray, tolerance: int = 40) -> None:
    want = cv2.resize(scene(), (bgr.shape[1], bgr.shape[0]))
    off = np.abs(want.astype(int) - bgr.astype(int)).max(axis=2)
    assert np.mean(off > tolerance) < 0.03


@pytest.mark.parametrize("kind", [".png", ".jpg", ".bmp", ".webp", ".tiff"])
def test_the_usual_kinds(kind: str) -> None:
    photo = load_photo(encoded(scene(), kind), "a")
    assert photo.size == (640, 480)
    assert photo.problems == ()
    assert_scene(photo.bgr)


def test_alpha_and_grey_and_sixteen_bits_and_cmyk_become_eight_bit_colour() -> None:
    alpha = np.dstack([scene(), np.full((480, 640), 128, np.uint8)])
    sixteen = scene().astype(np.uint16) * 257
    for raw in (
        encoded(alpha),
        encoded(sixteen),
        encoded(sixteen, ".tiff"),
        pil_bytes(pil_scene().convert("CMYK"), "JPEG"),
    ):
        photo = load_photo(raw, "a")
        assert photo.bgr.dtype == np.uint8
        assert_scene(photo.bgr, tolerance=60)
    grey = load_photo(encoded(cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY)), "a").bgr
    assert grey.shape == (480, 640, 3)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation_is_undone(orientation: int) -> None:
    turned = {
        1: lambda p: p, 2: np.fliplr, 3: lambda p: np.rot90(p, 2), 4: np.flipud, 5: lambda p: np.rot90(np.fliplr(p)),
        6: lambda p: np.rot90(p, 1), 7: lambda p: np.rot90(np.fliplr(p), -1), 8: lambda p: np.rot90(p, -1),
    }[orientation](scene())  # fmt: skip
    exif = Pil.Exif()
    exif[0x112] = orientation
    raw = pil_bytes(Pil.fromarray(turned[..., ::-1].copy()), "JPEG", exif=exif)
    photo = load_photo(raw, "a")
    assert photo.size == (640, 480)
    assert_scene(photo.bgr)


def test_the_focal_length_is_read_from_exif() -> None:
    exif = Pil.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26
    photo = load_photo(pil_bytes(pil_scene(), "JPEG", exif=exif), "a")
    assert photo.focal_px_hint == pytest.approx(26 * 800 / 43.27)
    assert load_photo(encoded(scene(), ".jpg"), "a").focal_px_hint is None


def test_a_huge_photo_is_reduced_and_upright() -> None:
    exif = Pil.Exif()
    exif[0x112] = 6
    large = cv2.resize(scene(), (4000, 3000))
    raw = pil_bytes(Pil.fromarray(np.rot90(large, 1)[..., ::-1].copy()), "JPEG", exif=exif)
    photo = load_photo(raw, "a")
    assert (photo.size, photo.reduced) == ((2000, 1500), 2)
    assert_scene(photo.bgr)


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds a few bytes."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def many_scans() -> bytes:
    raw = pil_bytes(pil_scene(), "JPEG", progressive=True)
    last = raw.rfind(b"\xff\xda")
    return raw[:-2] + raw[last:-2] * 200 + raw[-2:]


ROTTEN = {
    "empty": (b"", "empty"),
    "text": (b"hello, I am a text", "not a photo"),
    "zeros": (b"\0" * 5000, "not a photo"),
    "pdf": (b"%PDF-1.4 etc", "not a photo"),
    "heic": (b"\0\0\0\x18ftypheic" + b"\0" * 100, "JPEG"),
    "avif": (b"\0\0\0\x18ftypavif" + b"\0" * 100, "JPEG"),
    "bomb": (png_header(20_000, 10_000), "200 megapixels"),
    "long bomb": (png_header(2_000_000, 1), "megapixels"),
    "no pixels": (png_header(0, 100), "only 0 by 100 pixels"),
    "preview": (encoded(scene(48, 32)), "only 48 by 32 pixels"),
    "many scans": (many_scans(), "unusual"),
    "only a head": (encoded(scene(), ".jpg")[:300], "cut short"),
    "torn png": (encoded(scene())[:60], "cut short"),
    "half a riff": (b"RIFF\x10\0\0\0WEBPVP8 ", "not a photo"),
    "tiff of nothing": (b"II*\0\x08\0\0\0", "not a photo"),
}


@pytest.mark.parametrize("name", ROTTEN)
def test_rubbish_gets_one_sentence(name: str) -> None:
    raw, expected = ROTTEN[name]
    with pytest.raises(UnreadablePhoto, match=expected) as caught:
        load_photo(raw, name)
    assert "\n" not in str(caught.value)
    assert ":" in str(caught.value)  # what is wrong: what to do


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("share", [0.4, 0.7, 0.99])
def test_a_file_cut_short_is_refused_rather_than_half_read(kind: str, share: float) -> None:
    raw = encoded(cv2.imread(str(DEMO))[300:780, 300:940], kind)
    with pytest.raises(UnreadablePhoto, match="cut short"):
        load_photo(raw[: int(len(raw) * share)], "a")
    assert load_photo(raw + b"\0" * 20, "a").problems == ()  # something after the end does not matter


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jpg", tmp_path, Path("a\0b")):
        with pytest.raises(UnreadablePhoto):
            load_photo(path)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files_never_crash(data: st.DataObject) -> None:
    kinds = [encoded(scene(120, 80), kind) for kind in (".jpg", ".png", ".webp", ".bmp", ".tiff")]
    raw = bytearray(data.draw(st.sampled_from(kinds)))
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))
    for damaged in (bytes(raw), bytes(raw[:cut])):
        try:
            photo = load_photo(damaged, "a")
        except UnreadablePhoto:
            continue
        assert photo.bgr.ndim == 3
        assert photo.bgr.dtype == np.uint8
        assert photo.bgr.shape[0] * photo.bgr.shape[1] <= LIMITS.whole_pixels


def codes(bgr: np.ndarray) -> list[str]:
    return [problem.code for problem in quality_problems(bgr)]


def test_quality_says_what_is_wrong() -> None:
    good = cv2.imread(str(DEMO))
    assert codes(good) == []
    assert codes(np.zeros_like(good)) == ["too-dark"]
    assert codes(good // 12) == ["too-dark"]
    assert codes(np.full_like(good, 255)) == ["overexposed"]
    assert codes(np.full_like(good, 120)) == ["nothing-to-see"]
    assert codes(cv2.GaussianBlur(good, (0, 0), 6)) == ["blurred"]
    assert codes(cv2.blur(good, (25, 1))) == codes(cv2.blur(good, (1, 25))) == ["blurred"]
    assert codes(good[:300, :400]) == ["too-small"]

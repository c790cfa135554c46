"""What a file says of itself before it is decoded: kind, size, focal length, and whether its end is missing.

Reading this first means that a file which claims 200 megapixels costs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Header:
    kind: str  # "jpeg", "png", "webp", "bmp", "tiff", "heic", "avif"
    width: int
    height: int
    focal_35mm: float | None = None
    cut_short: bool = False
    in_strips: bool = False  # can be decoded strip by strip, so that a large one needs little memory: plain JPEG
    scans: int = 1  # passes over the whole picture: a progressive JPEG has about ten, a malicious one thousands


def read_header(raw: bytes) -> Header | None:
    """None where the bytes are no picture that is known here.

    >>> read_header(b"hello") is None
    True
    """
    try:
        for magic, reader in (
            (b"\xff\xd8\xff", _jpeg),
            (b"\x89PNG\r\n\x1a\n", _png),
            (b"RIFF", _webp),
            (b"BM", _bmp),
            (b"II*\0", _tiff),
            (b"MM\0*", _tiff),
        ):
            if raw.startswith(magic):
                return reader(raw)
        return _iso_media(raw)
    except (struct.error, IndexError):
        return None


def _jpeg(raw: bytes) -> Header | None:
    focal, size, plain = None, None, False
    for marker, body, end in _jpeg_segments(raw):
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            focal = _exif_focal(body[6:])
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            size, plain = struct.unpack(">HH", body[1:5]), marker in (0xC0, 0xC1)
        if marker == 0xDA and size is not None:  # inside the picture itself no byte FF is followed by D9 or DA
            finish = raw.find(b"\xff\xd9", end)
            scans = raw.count(b"\xff\xda", end, None if finish < 0 else finish) + 1
            return Header("jpeg", size[1], size[0], focal, finish < 0, plain and scans <= 4, scans)
    return None if size is None else Header("jpeg", size[1], size[0], focal, cut_short=True)


def _jpeg_segments(raw: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Marker, body and where it ends, up to the start of the picture itself."""
    at = 2
    while at + 4 <= len(raw):
        if raw[at] != 0xFF:
            return
        marker = raw[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
            continue
        (length,) = struct.unpack(">H", raw[at + 2 : at + 4])
        yield marker, raw[at + 4 : at + 2 + length], at + 2 + length
        if marker == 0xDA:
            return
        at += 2 + max(length, 2)


def _png(raw: bytes) -> Header:
    width, height = struct.unpack(">II", raw[16:24])
    return Header("png", width, height, cut_short=b"IEND" not in raw)


def _webp(raw: bytes) -> Header | None:
    if raw[8:12] != b"WEBP":
        return None
    chunk = raw[12:16]
    cut_short = len(raw) < struct.unpack("<I", raw[4:8])[0]
    if chunk == b"VP8X":
        width, height = (1 + int.from_bytes(raw[at : at + 3], "little") for at in (24, 27))
    elif chunk == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    else:
        width, height = (side & 0x3FFF for side in struct.unpack("<HH", raw[26:30]))
    return Header("webp", width, height, cut_short=cut_short)


def _bmp(raw: bytes) -> Header:
    width, height = struct.unpack("<ii", raw[18:26])
    return Header("bmp", abs(width), abs(height))


def _tiff(raw: bytes) -> Header | None:
    tags = dict(_tags(raw, _first_directory(raw)))
    width, height = tags.get(0x100), tags.get(0x101)
    return None if width is None or height is None else Header("tiff", int(width), int(height))


def _iso_media(raw: bytes) -> Header | None:
    if raw[4:8] != b"ftyp":
        return None
    brand = raw[8:12]
    if brand in (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heim", b"heis"):
        return Header("heic", 0, 0)
    return Header("avif", 0, 0) if brand in (b"avif", b"avis") else None


def _exif_focal(tiff: bytes) -> float | None:
    """FocalLengthIn35mmFilm, tag 0xA405 of the Exif directory; None where it is absent, zero or nonsense."""
    try:
        tags = dict(_tags(tiff, _first_directory(tiff)))
        exif = dict(_tags(tiff, int(tags[0x8769])))
    except (struct.error, IndexError, KeyError):
        return None
    focal = exif.get(0xA405)
    return float(focal) if focal is not None and 8 <= focal <= 400 else None


def _first_directory(tiff: bytes) -> int:
    return int(struct.unpack(_order(tiff) + "I", tiff[4:8])[0])


def _order(tiff: bytes) -> str:
    return "<" if tiff[:2] == b"II" else ">"


def _tags(tiff: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Tag and value of each entry of a directory that holds one whole number (SHORT or LONG)."""
    order = _order(tiff)
    (count,) = struct.unpack(order + "H", tiff[at : at + 2])
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind, number = struct.unpack(order + "HHI", tiff[entry : entry + 8])
        if number == 1 and kind in (3, 4):
            form, size = (("H", 2), ("I", 4))[kind - 3]
            yield tag, struct.unpack(order + form, tiff[entry + 8 : entry + 8 + size])[0]

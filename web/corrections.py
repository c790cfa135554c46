"""A person's corrections of a reading, as small operations that name the piece they change.

Each operation carries its result, so that replay needs no photo and two people who correct different pieces at the same
moment both get their way. An operation on a piece that somebody deleted meanwhile changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion.errors import InvalidInput
from companion.pieces import SIZES, TYPES, piece_from_json, point_from_json
from companion.tiles import card_from_json, cell_from_json
from web.mapping import Plane, fitted, usual_side_mm

Reading = dict[str, Any]


def corrected(reading: Reading, fix: Mapping[str, Any]) -> Reading:
    """The reading with one operation applied."""
    match fix["op"]:
        case "set" | "add":
            others = [piece for piece in reading.get("pieces", []) if piece["id"] != fix["piece"]["id"]]
            if fix["op"] == "set" and len(others) == len(reading.get("pieces", [])):
                return reading
            return reading | {"pieces": sorted([*others, fix["piece"]], key=lambda piece: str(piece["id"]))}
        case "delete":
            return reading | {"pieces": [piece for piece in reading["pieces"] if piece["id"] != fix["id"]]}
        case "cell":
            space = (fix["cell"]["row"], fix["cell"]["col"])
            cells = [fix["cell"] if (cell["row"], cell["col"]) == space else cell for cell in reading.get("cells", [])]
            return reading | {"cells": cells}
        case "revealed":
            return reading | {"revealed": fix["revealed"]}
    return reading


def fix_from_request(reading: Reading, asked: Mapping[str, Any], new_id: str) -> dict[str, Any]:
    """The operation that a phone asks for, made complete: {op, piece | id | cell | revealed, says}."""
    op = asked.get("op")
    if op == "change":
        return _change(reading, asked)
    if op == "move":
        return _move(reading, asked)
    if op == "delete":
        piece = _piece(reading, asked)
        return {"op": "delete", "id": piece["id"], "says": f"{named(piece)} deleted"}
    if op == "add":
        return _add(reading, asked, new_id)
    if op == "cell":
        return _cell(asked)
    if op == "revealed":
        card = asked.get("revealed")
        value = None if card is None else card_from_json(card, "the turned-up card").as_json()
        return {"op": "revealed", "revealed": value, "says": "turned-up card corrected"}
    raise InvalidInput("a correction is one of change, move, delete, add, cell and revealed")


def named(piece: Mapping[str, Any]) -> str:
    """
    >>> named({"type": "gem-blue", "size": "L"})
    'large blue gem'
    """
    kind = str(piece["type"])
    if kind.startswith("gem-"):
        kind = f"{kind[4:]} gem"
    size = {"S": "small ", "L": "large ", "H": "huge "}.get(str(piece.get("size")), "")
    return f"{size}{kind}"


def _change(reading: Reading, asked: Mapping[str, Any]) -> dict[str, Any]:
    piece = _piece(reading, asked)
    kind, size = asked.get("type", piece["type"]), asked.get("size", piece.get("size"))
    if kind not in TYPES or (kind != "meeple" and size not in SIZES):
        raise InvalidInput("a cube needs a known type and a size S, L or H")
    changed = {**piece, "type": kind, "size": size, "confidence": 1.0}
    for key, value in (("colour", asked.get("colour")), ("shows", asked.get("shows"))):
        if value is not None:
            changed[key] = value
    if size != piece.get("size") and piece.get("footprint_mm"):
        ratio = usual_side_mm(reading, size) / usual_side_mm(reading, piece.get("size"))
        changed["footprint_mm"] = _scaled(piece["footprint_mm"], piece["center_mm"], ratio)
    says = f"{named(piece)} is a {named(changed)}" if named(piece) != named(changed) else f"{named(piece)} confirmed"
    return {"op": "set", "piece": _checked(changed), "says": says}


def _move(reading: Reading, asked: Mapping[str, Any]) -> dict[str, Any]:
    piece = _piece(reading, asked)
    center_px, center_mm = _place(reading, asked)
    moved = {**piece, "confidence": 1.0}
    if center_px is not None:
        moved["center_px"] = list(center_px)
        if piece.get("center_px"):
            moved["outline_px"] = _shifted(piece.get("outline_px", []), piece["center_px"], center_px)
    if center_mm is not None:
        moved["center_mm"] = list(center_mm)
        if piece.get("center_mm"):
            moved["footprint_mm"] = _shifted(piece.get("footprint_mm", []), piece["center_mm"], center_mm)
    return {"op": "set", "piece": _checked(moved), "says": f"{named(piece)} moved"}


def _add(reading: Reading, asked: Mapping[str, Any], new_id: str) -> dict[str, Any]:
    center_px, center_mm = _place(reading, asked)
    kind, size = asked.get("type"), asked.get("size")
    if kind not in TYPES or (kind != "meeple" and size not in SIZES):
        raise InvalidInput("a cube needs a known type and a size S, L or H")
    piece: dict[str, Any] = {"id": new_id, "type": kind, "size": size, "confidence": 1.0}
    if asked.get("colour"):
        piece["colour"] = str(asked["colour"])[:20]
    half = usual_side_mm(reading, size) / 2
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    if center_mm is not None:
        piece["center_mm"] = list(center_mm)
        piece["footprint_mm"] = [[center_mm[0] + dx, center_mm[1] + dy] for dx, dy in corners]
    if center_px is not None:
        piece["center_px"] = list(center_px)
        plane = fitted(reading, near_mm=center_mm)
        if plane is not None and center_mm is not None:
            piece["outline_px"] = [list(plane.px((center_mm[0] + dx, center_mm[1] + dy))) for dx, dy in corners]
    return {"op": "add", "piece": _checked(piece), "says": f"{named(piece)} added"}


def _cell(asked: Mapping[str, Any]) -> dict[str, Any]:
    cell = cell_from_json({**dict(asked.get("cell") or {}), "confidence": 1.0}).as_json()
    where = f"row {cell['row'] + 1}, column {cell['col'] + 1}"
    return {"op": "cell", "cell": cell, "says": f"card at {where} corrected"}


def _piece(reading: Reading, asked: Mapping[str, Any]) -> dict[str, Any]:
    for piece in reading.get("pieces", []):
        if piece["id"] == asked.get("piece"):
            return dict(piece)
    raise InvalidInput("this piece is gone: somebody deleted it meanwhile")


def _place(reading: Reading, asked: Mapping[str, Any]) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """Both positions of the place that was tapped, on the photo or on the map."""
    px = None if asked.get("center_px") is None else point_from_json(asked["center_px"], "center_px")
    mm = None if asked.get("center_mm") is None else point_from_json(asked["center_mm"], "center_mm")
    if px is None and mm is None:
        raise InvalidInput("where? center_px or center_mm is needed")
    plane: Plane | None = fitted(reading, near_mm=mm, near_px=px)
    if plane is not None and mm is None and px is not None:
        mm = plane.mm(px)
    if plane is not None and px is None and mm is not None:
        px = plane.px(mm)
    return px, mm


def _checked(piece: dict[str, Any]) -> dict[str, Any]:
    """Through the records and back, so that nothing odd is ever kept."""
    return piece_from_json(piece).as_json()


def _shifted(points: list[list[float]], old: list[float], new: tuple[float, float]) -> list[list[float]]:
    return [[x + new[0] - old[0], y + new[1] - old[1]] for x, y in points]


def _scaled(points: list[list[float]], middle: list[float], ratio: float) -> list[list[float]]:
    if not math.isfinite(ratio):
        return points
    return [[middle[0] + (x - middle[0]) * ratio, middle[1] + (y - middle[1]) * ratio] for x, y in points]

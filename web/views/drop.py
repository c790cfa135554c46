"""Dungeon Drop: rooms and verdicts, looting, secret quests, and the final count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.errors import IllegalMove, InvalidInput
from companion.games.dungeon_drop import events as e
from companion.games.dungeon_drop.heroes import Hero
from companion.games.dungeon_drop.position import Position
from companion.games.dungeon_drop.quests import NO_QUEST, quest_from_json
from companion.games.dungeon_drop.scoring import score_answer
from companion.games.dungeon_drop.stashes import counted, stash_of
from companion.pieces import pieces_from_json
from web.dropping import Seen, best_rooms, seen, verdict
from web.errors import Refused
from web.play import played, position_after
from web.services import body, device, done, number, services, text

blueprint = Blueprint("drop", __name__, url_prefix="/games")


@blueprint.get("/<game_id>/rooms.json")
def rooms(game_id: str) -> Response:
    """The best legal rooms for whoever's turn it is, or for ?hero=NAME."""
    table = table_of(game_id)
    return jsonify(rooms=best_rooms(table, hero_of(game_id)), all=len(table.rooms))


@blueprint.get("/<game_id>/rooms/<pillars>.json")
def room(game_id: str, pillars: str) -> Response:
    """One room, by the ids of its pillars with commas between."""
    names = pillars.split(",")
    table, hero = table_of(game_id), hero_of(game_id)
    answer = verdict(table, names, hero)
    rich = hero_of(game_id, with_stash=True)
    if hero is not None and not answer["legal"] and verdict(table, names, rich)["legal"]:
        answer["would_help"] = _would_help(hero, rich)
    return jsonify(answer)


@blueprint.post("/<game_id>/loot")
def loot(game_id: str) -> tuple[Response, int]:
    """Takes a room: {"pillars": […], "without": […], "also": […], "after": seq}. The turn ends with it."""
    data = body()
    here, table = _drop_position(game_id), table_of(game_id)
    pillars, without, also = (_ids(data, key) for key in ("pillars", "without", "also"))
    name = here.active_player.name
    answer = verdict(table, pillars, hero_of(game_id))
    removes = sorted((set(answer["collects"]) | set(also)) - set(without))
    lines = [*_explore(here), str(_look(table)), str(e.Loot(tuple(sorted(pillars)), without, also)), str(e.End())]
    says = f"{name} took {len(removes)} cube{'s' if len(removes) != 1 else ''}"
    photo = services().journals.get(game_id).table
    after = number(data.get("after"))
    entry = played(game_id, lines, after=after, says=says, photo=photo, removes=removes)
    services().bus.tell(game_id, "spotlight", None)
    return done(entry, 201)


@blueprint.post("/<game_id>/turn")
def turn(game_id: str) -> tuple[Response, int]:
    """Ends a turn without a room: {"how": "pass" | "illegal", "pillars": […]}."""
    data = body()
    here = _drop_position(game_id)
    name = here.active_player.name
    journal = services().journals.get(game_id)
    looked = [str(_look(table_of(game_id)))] if journal.table else []
    if data.get("how") == "pass":
        lines, says = [str(e.Pass()), str(e.End())], f"{name} passed"
    elif data.get("how") == "illegal":
        illegal = [str(e.Illegal(tuple(sorted(_ids(data, "pillars")))))]
        lines, says = (
            [*illegal, *([str(e.End())] if here.rules.illegal_room_loses_turn else [])],
            f"{name} lost the turn",
        )
    else:
        raise InvalidInput("how does the turn end: pass or illegal?")
    return done(played(game_id, [*_explore(here), *looked, *lines], after=number(data.get("after")), says=says), 201)


@blueprint.post("/<game_id>/accept")
def accept(game_id: str) -> tuple[Response, int]:
    """The table is right as it was read, whatever the count says."""
    here = _drop_position(game_id)
    lines = [*_explore(here), str(_look(table_of(game_id))), str(e.Accept())]
    return done(played(game_id, lines, says="table accepted"), 201)


@blueprint.post("/<game_id>/quest")
def quest(game_id: str) -> tuple[Response, int]:
    """A quest entered on a hero's own phone: kept for that phone alone until the count."""
    data = body()
    name = text(data, "hero")
    _drop_position(game_id).player(name)
    wanted = quest_from_json(data.get("quest"))
    services().store.keep_secret(game_id, name, device(), wanted.as_json())
    services().bus.wake(game_id)
    return done(status=201)


@blueprint.post("/<game_id>/reveal")
def reveal(game_id: str) -> tuple[Response, int]:
    """The last round is over: all quests entered on phones go into the record."""
    here = _drop_position(game_id)
    if here.phase not in ("count", "over"):
        raise IllegalMove("quests stay secret until the last round is over")
    kept = services().store.secrets(game_id)
    lines = [
        str(e.SetQuest(player.name, quest_from_json(kept[player.name][1])))
        for player in here.players
        if player.name in kept and player.quest == NO_QUEST
    ]
    if not lines:
        raise IllegalMove("no quest is left to reveal")
    return done(played(game_id, lines, says="quests revealed"), 201)


@blueprint.post("/<game_id>/count")
def count(game_id: str) -> tuple[Response, int]:
    """A hero's stash as counted, from its photo or as given: {"hero": …, "pieces": […] or none for the photo}."""
    data = body()
    name = text(data, "hero")
    if data.get("pieces") is not None:
        pieces = pieces_from_json(data["pieces"])
    else:
        journal = services().journals.get(game_id)
        if name not in journal.stashes:
            raise Refused(404, "no-stash", f"{name}'s stash has not been photographed yet.")
        pieces = pieces_from_json(journal.readings[journal.stashes[name]].get("pieces", []))
    stash = stash_of(counted([piece for piece in pieces if piece.type not in ("pillar", "staircase")]))
    return done(played(game_id, [str(e.Count(name, stash))], says=f"{name}'s stash counted"), 201)


@blueprint.post("/<game_id>/quick")
def quick(game_id: str) -> tuple[Response, int]:
    """Keeps who is scored at a table that only wants the score: {"heroes": […]}, as the score question has them."""
    heroes = body().get("heroes")
    services().store.game(game_id)
    if not isinstance(heroes, list) or len(heroes) > 4:
        raise InvalidInput("heroes must be a list of up to four")
    entry = services().append(game_id, "track", {"says": "score sheet filled in", "track": {"quick": heroes}})
    return done(entry, 201)


@blueprint.post("/<game_id>/score")
def score(game_id: str) -> Response:
    """The score sheet of heroes as given, FORMATS' `companion dungeon-drop score`."""
    services().store.game(game_id)
    return jsonify(score_answer(body()))


def table_of(game_id: str) -> Seen:
    services().store.game(game_id)
    reading = services().journals.get(game_id).table_reading()
    if reading is None or "pieces" not in reading:
        raise Refused(404, "no-table", "No table has been read yet; take a photo first.")
    return seen(reading, _drop_position(game_id).rules)


def hero_of(game_id: str, *, with_stash: bool = False) -> Hero | None:
    """The hero asked about or whose turn it is, with the quest that this phone may know; None outside a game."""
    here = _drop_position(game_id)
    if here.phase != "play":
        return None
    name = request.args.get("hero") or here.active_player.name
    hero = here.hero(name, with_stash=with_stash)
    owner, kept = services().store.secrets(game_id).get(name, ("", None))
    return replace(hero, quest=quest_from_json(kept)) if kept and owner == device() else hero


def _drop_position(game_id: str) -> Position:
    services().store.game(game_id)
    here = position_after("dungeon-drop", services().journals.get(game_id).lines)
    assert isinstance(here, Position)
    return here


def _would_help(hero: Hero, rich: Hero | None) -> list[str]:
    """What the stash offers that would make the room legal."""
    assert rich is not None
    return [what for what, more in (("shield", rich.shields > hero.shields), ("potion", rich.potions > 0)) if more]


def _explore(here: Position) -> list[str]:
    """The cubes are drawn before the photo is taken; the page does not ask for what goes without saying."""
    return [] if here.turn.explored or here.phase != "play" else [str(e.Explore())]


def _look(table: Seen) -> e.Look:
    return e.Look(table.pieces, table.error_mm or None)


def _ids(data: dict[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{key} must be a list of pieces")
    return tuple(value)

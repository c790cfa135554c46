"""Games, events, photos and profiles, kept through SQLAlchemy Core: what was acknowledged survives a pulled plug.

A game is an append-only list of entries. Nothing is ever updated in place, so two phones that write at once both get
their entry: the second one takes the next number.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from companion.errors import InvalidInput
from web.errors import Refused

ENTRY_TRIES = 50  # two writers on a database without BEGIN IMMEDIATE may pick the same number; one tries again

metadata = sa.MetaData()
games = sa.Table(
    "games", metadata,
    sa.Column("id", sa.String(16), primary_key=True), sa.Column("game", sa.String(40), nullable=False),
    sa.Column("title", sa.Unicode(200), nullable=False), sa.Column("demo", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(32), nullable=False),
)  # fmt: skip
entries = sa.Table(
    "entries", metadata,
    sa.Column("game_id", sa.String(16), primary_key=True), sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False), sa.Column("body", sa.UnicodeText, nullable=False),
    sa.Column("device", sa.String(40), nullable=False), sa.Column("at", sa.String(32), nullable=False),
)  # fmt: skip
photos = sa.Table(
    "photos", metadata,
    sa.Column("id", sa.String(40), primary_key=True), sa.Column("game_id", sa.String(16), primary_key=True),
    sa.Column("name", sa.Unicode(120), nullable=False), sa.Column("type", sa.String(40), nullable=False),
    sa.Column("width", sa.Integer, nullable=False), sa.Column("height", sa.Integer, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False), sa.Column("at", sa.String(32), nullable=False),
)  # fmt: skip
# What only one phone may see until the end: a quest, under the hero's name.
secret_notes = sa.Table(
    "secret_notes", metadata,
    sa.Column("game_id", sa.String(16), primary_key=True), sa.Column("hero", sa.Unicode(80), primary_key=True),
    sa.Column("device", sa.String(40), nullable=False), sa.Column("body", sa.UnicodeText, nullable=False),
)  # fmt: skip
profiles = sa.Table(
    "profiles", metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True), sa.Column("game", sa.String(40), nullable=False),
    sa.Column("body", sa.UnicodeText, nullable=False), sa.Column("taps", sa.UnicodeText, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)  # fmt: skip
settings = sa.Table(
    "settings", metadata, sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.UnicodeText)
)


@dataclass(frozen=True)
class GameRow:
    id: str
    game: str
    title: str
    demo: bool
    created_at: str


@dataclass(frozen=True)
class Entry:
    """One thing that happened to a game, numbered from 1."""

    seq: int
    kind: str
    body: dict[str, Any]
    device: str
    at: str


@dataclass(frozen=True)
class Photo:
    id: str
    name: str
    type: str
    width: int
    height: int
    at: str

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "width": self.width, "height": self.height, "at": self.at}


class Store:
    def __init__(self, url: str) -> None:
        try:
            self.engine = opened(url)
            metadata.create_all(self.engine)
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, sa.exc.DBAPIError, ImportError) as problem:
            reason = str(getattr(problem, "orig", None) or problem).splitlines()[0]
            raise InvalidInput(f"the database {url} cannot be opened ({reason}); check its address") from None

    def close(self) -> None:
        self.engine.dispose()

    # games

    def add_game(self, game: str, title: str, *, demo: bool = False) -> GameRow:
        row = GameRow(secrets.token_hex(4), game, title, demo, now())
        with self._writing() as connection:
            connection.execute(games.insert().values(**vars(row)))
        return row

    def game(self, game_id: str) -> GameRow:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(games).where(games.c.id == game_id)).mappings().first()
        if row is None:
            raise Refused(404, "no-such-game", "This game is not kept here; pick another on the start page.")
        return GameRow(**row)

    def all_games(self) -> list[tuple[GameRow, str]]:
        """Every game and when something last happened in it, the latest first."""
        last = sa.func.coalesce(sa.func.max(entries.c.at), games.c.created_at).label("last")
        joined = games.outerjoin(entries, entries.c.game_id == games.c.id)
        query = sa.select(games, last).select_from(joined).group_by(*games.c).order_by(sa.desc("last"))
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return [(GameRow(**{key: row[key] for key in GameRow.__annotations__}), row["last"]) for row in rows]

    def rename_game(self, game_id: str, title: str) -> None:
        with self._writing() as connection:
            connection.execute(games.update().where(games.c.id == game_id).values(title=title))

    def delete_game(self, game_id: str) -> None:
        with self._writing() as connection:
            for table in (entries, photos, secret_notes):
                connection.execute(table.delete().where(table.c.game_id == game_id))
            connection.execute(games.delete().where(games.c.id == game_id))

    # entries

    def append(self, game_id: str, kind: str, body: dict[str, Any], device: str = "") -> Entry:
        """Adds an entry with the next number. Returns only when it is safely kept."""
        for _ in range(ENTRY_TRIES):
            try:
                with self._writing() as connection:
                    return insert_entry(connection, game_id, kind, body, device)
            except sa.exc.IntegrityError:
                continue
        raise Refused(503, "busy", "Too many people write at once; try again.")

    @contextmanager
    def deciding(self, game_id: str) -> Iterator[Decision]:
        """Looks at all entries and adds one with nothing in between: for moves that must fit what went before."""
        with self._writing() as connection:
            yield Decision(connection, game_id)

    def entries(self, game_id: str, after: int = 0) -> list[Entry]:
        with self.engine.connect() as connection:
            return selected_entries(connection, game_id, after)

    def last_seq(self, game_id: str) -> int:
        with self.engine.connect() as connection:
            return last_number(connection, game_id)

    # photos

    def add_photo(self, game_id: str, name: str, kind: str, size: tuple[int, int], data: bytes) -> Photo:
        photo = Photo(photo_id(data), name, kind, size[0], size[1], now())
        with self._writing() as connection:
            here = sa.select(photos.c.id).where(photos.c.id == photo.id, photos.c.game_id == game_id)
            if connection.execute(here).first() is None:
                connection.execute(photos.insert().values(game_id=game_id, data=data, **vars(photo)))
        return photo

    def photo(self, game_id: str, photo_id: str) -> tuple[Photo, bytes]:
        query = sa.select(photos).where(photos.c.id == photo_id, photos.c.game_id == game_id)
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise Refused(404, "no-such-photo", "This photo is not kept here.")
        return Photo(**{key: row[key] for key in Photo.__annotations__}), bytes(row["data"])

    def photos(self, game_id: str) -> dict[str, Photo]:
        columns = [photos.c[key] for key in Photo.__annotations__]
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(*columns).where(photos.c.game_id == game_id)).mappings().all()
        return {row["id"]: Photo(**row) for row in rows}

    # quests that one phone keeps

    def keep_secret(self, game_id: str, hero: str, device: str, body: dict[str, Any]) -> None:
        """A hero's quest belongs to the phone that entered it first; another one cannot replace or read it."""
        mine = (secret_notes.c.game_id == game_id) & (secret_notes.c.hero == hero)
        with self._writing() as connection:
            owner = connection.execute(sa.select(secret_notes.c.device).where(mine)).scalar()
            if owner not in (None, device):
                raise Refused(403, "not-yours", f"{hero}'s quest was entered on another phone; change it there.")
            connection.execute(secret_notes.delete().where(mine))
            text = json.dumps(body)
            connection.execute(secret_notes.insert().values(game_id=game_id, hero=hero, device=device, body=text))

    def secrets(self, game_id: str) -> dict[str, tuple[str, dict[str, Any]]]:
        """By hero: whose phone, and what."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(secret_notes).where(secret_notes.c.game_id == game_id)).mappings().all()
        return {row["hero"]: (row["device"], json.loads(row["body"])) for row in rows}

    # what this table's own cubes and cards look like

    def add_profile(self, game: str, body: str, taps: list[dict[str, Any]]) -> None:
        with self._writing() as connection:
            connection.execute(profiles.insert().values(game=game, body=body, taps=json.dumps(taps), at=now()))

    def profile(self, game: str) -> tuple[str | None, list[dict[str, Any]]]:
        """The last one taught and the taps it came from; None where the one that ships is used."""
        query = sa.select(profiles).where(profiles.c.game == game).order_by(profiles.c.id.desc()).limit(1)
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return (None, []) if row is None else (row["body"] or None, json.loads(row["taps"]))

    def setting(self, name: str, default: str) -> str:
        """A value that stays the same from start to start, made on first use."""
        with self._writing() as connection:
            value = connection.execute(sa.select(settings.c.value).where(settings.c.name == name)).scalar()
            if value is None:
                connection.execute(settings.insert().values(name=name, value=default))
                return default
        return str(value)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection


@dataclass(frozen=True)
class Decision:
    """A look at a game and a chance to add to it, inside one transaction."""

    connection: Connection
    game_id: str

    def entries(self, after: int = 0) -> list[Entry]:
        return selected_entries(self.connection, self.game_id, after)

    def append(self, kind: str, body: dict[str, Any], device: str = "") -> Entry:
        return insert_entry(self.connection, self.game_id, kind, body, device)


def insert_entry(connection: Connection, game_id: str, kind: str, body: dict[str, Any], device: str) -> Entry:
    entry = Entry(last_number(connection, game_id) + 1, kind, body, device, now())
    connection.execute(
        entries.insert().values(game_id=game_id, **{**vars(entry), "body": json.dumps(body, ensure_ascii=False)})
    )
    return entry


def selected_entries(connection: Connection, game_id: str, after: int) -> list[Entry]:
    query = sa.select(entries).where(entries.c.game_id == game_id, entries.c.seq > after).order_by(entries.c.seq)
    return [
        Entry(row["seq"], row["kind"], json.loads(row["body"]), row["device"], row["at"])
        for row in connection.execute(query).mappings()
    ]


def last_number(connection: Connection, game_id: str) -> int:
    highest = connection.execute(sa.select(sa.func.max(entries.c.seq)).where(entries.c.game_id == game_id)).scalar()
    return int(highest or 0)


def photo_id(data: bytes) -> str:
    """A photo's name is its content: the same photo sent twice is kept once."""
    return hashlib.sha256(data).hexdigest()[:40]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def opened(url: str) -> Engine:
    engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _sqlite_connect)
        sa.event.listen(engine, "begin", _sqlite_begin)
    return engine


def _sqlite_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver would begin on its own, too late to lock
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _sqlite_begin(connection: Connection) -> None:
    # A writer takes the lock before it looks, so that what it saw still holds when it writes.
    immediate = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

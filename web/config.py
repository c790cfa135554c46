"""What the page is started with. Nothing here is read from a global or from the environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from web.readers import ReadJob, read


@dataclass(frozen=True)
class Limits:
    """How much the page takes from a stranger on the Wi-Fi."""

    upload_bytes: int = 32 * 1024 * 1024  # a 50-megapixel phone's JPEG is about 25 MB
    body_bytes: int = 256 * 1024  # everything that is no photo: the longest is a table of 93 corrected cubes, 40 KB
    name_letters: int = 40
    pin_guesses: int = 8  # by one address within the window; a million PINs then take a lifetime
    pin_guesses_in_all: int = 60  # by all addresses, so that a neighbour with many addresses gains nothing
    pin_window_s: float = 600.0
    streams: int = 44  # open event streams; each holds one of the server's 64 threads
    photos_waiting: int = 8  # of one game; older ones are kept but read only when asked for


@dataclass(frozen=True)
class Config:
    database: str  # a SQLAlchemy URL
    data_dir: Path | None = None  # where the certificate lives; None: nothing is kept beside the database
    pin: str | None = None  # asked of everyone who does not sit at this machine
    addresses: tuple[str, ...] = ()  # how others reach the page, best first: http://192.168.1.7:8765
    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "::1"})  # names this page answers to
    limits: Limits = field(default_factory=Limits)
    read: Callable[[ReadJob], dict[str, Any]] = read
    read_in: str = "process"  # or "thread", where a test wants to see inside
    camera: str | None = None  # what the live page offers first: a webcam's number or name, an address, a folder
    secure_cookies: bool = False  # with --https
    demo_dir: Path = Path(__file__).parent / "demo"

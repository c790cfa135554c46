"""The page in a process of its own, its reader the staged one: `python -m tests.web.live_server DATABASE PORT`."""

from __future__ import annotations

import sys

from tests.web.live_game import staged
from web import Config, create_app
from web.server import make_server


def main() -> None:
    config = Config(database=sys.argv[1], read=staged().read, read_in="thread")
    make_server(create_app(config), config, "127.0.0.1", int(sys.argv[2])).safe_start()


if __name__ == "__main__":
    main()

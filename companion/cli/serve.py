"""`companion serve`: the page that everyone at the table opens."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser

import click


@click.command()
@click.option("--open/--no-open", "open_page", default=False, help="Open the page in this machine's browser.")
@click.option("--lan", is_flag=True, help="Let phones on the same Wi-Fi join, with a PIN in the QR code.")
@click.option("--https", is_flag=True, help="Serve over TLS, which phones ask for before they show their live camera.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="0: any free port.")
@click.option(
    "--camera", metavar="SOURCE", help="For the live page: a webcam's number or name, rtsp://…, http://…, a folder."
)
@click.option(
    "--database", metavar="URL", help="Where games are kept, a SQLAlchemy URL; a file in your data folder if not given."
)
def serve(  # noqa: PLR0917
    open_page: bool, lan: bool, https: bool, port: int, camera: str | None, database: str | None
) -> None:
    """Starts the page and prints its address. Stop it with Ctrl-C; nothing is lost."""
    from platformdirs import user_data_path

    from web import Config, create_app
    from web.server import make_server

    folder = user_data_path("dungeon-companion", ensure_exists=True)
    database = database or f"sqlite:///{folder / 'games.sqlite3'}"
    port = free_port(port, lan)
    scheme = "https" if https else "http"
    names = lan_names() if lan else []
    pin = kept_pin(database) if lan else None
    config = Config(
        database=database,
        data_dir=folder,
        pin=pin,
        addresses=tuple(f"{scheme}://{name}:{port}" for name in names),
        hosts=frozenset({"localhost", "127.0.0.1", "::1", *names, *(own_names() if lan else ())}),
        secure_cookies=https,
        camera=camera,
    )
    server = make_server(create_app(config), config, "0.0.0.0" if lan else "127.0.0.1", port, https=https)
    server.prepare()
    local = f"{scheme}://localhost:{port}/"
    announce(local, config.addresses, pin)
    if open_page:
        threading.Timer(0.6, open_in_browser, [local]).start()
    signal.signal(signal.SIGTERM, stopped)
    try:
        server.serve()
    except KeyboardInterrupt:
        click.echo("\nThe table is closed; it goes on where it was.")
    finally:
        server.stop()


def stopped(*_: object) -> None:
    raise KeyboardInterrupt


def announce(local: str, addresses: tuple[str, ...], pin: str | None) -> None:
    click.echo(f"The table is open at {local}")
    for address in addresses:
        click.echo(f"Phones on the same Wi-Fi: {address}  (PIN {pin})")
    if not addresses:
        click.echo("Only this machine is served; start with --lan to let phones join.")
    click.echo("Stop with Ctrl-C; nothing is lost.")


def open_in_browser(address: str) -> None:
    """Where there is a desktop; elsewhere the printed address has to do, and no text browser may take the terminal."""
    desktop = sys.platform in ("darwin", "win32") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not desktop:
        return
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def kept_pin(database: str) -> str:
    """The same PIN from start to start, so that a phone's bookmark keeps working."""
    from web.store import Store

    store = Store(database)
    pin = store.setting("pin", f"{secrets.randbelow(1_000_000):06}")
    store.close()
    return pin


def free_port(port: int, lan: bool) -> int:
    """The port asked for, or the next free one: a second game night on one machine should just start."""
    host = "0.0.0.0" if lan else "127.0.0.1"
    for candidate in [port, *range(port + 1, port + 20), 0] if port else [0]:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((host, candidate))
                return int(probe.getsockname()[1])
    raise click.ClickException("no free port was found; close another program and try again")


def lan_names() -> list[str]:
    """This machine's addresses on the Wi-Fi, the one that leads outside first. Nothing is sent."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address reserved for documents: only asks which way it would go
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    usable = [name for name in dict.fromkeys(found) if not name.startswith("127.") and name != "0.0.0.0"]
    return usable or ["localhost"]


def own_names() -> list[str]:
    name = socket.gethostname().lower()
    return [name, f"{name.split('.')[0]}.local"]

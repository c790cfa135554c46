"""Who may ask what: names this page answers to, forged origins, the PIN, and what a browser may load."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, redirect, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from web.config import Config, Limits
from web.errors import Refused, wants_page

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN: Final = frozenset({"static", "start.join", "start.enter", "start.robots"})  # reachable without the PIN

CONTENT_POLICY: Final = "; ".join(
    [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
        "connect-src 'self'", "media-src 'self' blob:", "manifest-src 'self'", "font-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "worker-src 'self'",
    ]
)  # fmt: skip
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # never tell another site this page's address, which may hold the PIN
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


class Guesses:
    """Counts wrong PINs, by address and in all, within a window of time."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._lock = threading.Lock()
        self._wrong: dict[str, deque[float]] = defaultdict(deque)

    def check(self, pin: str, guess: str, address: str) -> None:
        """Refuses a wrong PIN, and any PIN at all after too many wrong ones."""
        with self._lock:
            since = self._clock() - self._limits.pin_window_s
            for key in (address, ""):
                while self._wrong[key] and self._wrong[key][0] < since:
                    self._wrong[key].popleft()
            if (
                len(self._wrong[address]) >= self._limits.pin_guesses
                or len(self._wrong[""]) >= self._limits.pin_guesses_in_all
            ):
                raise Refused(429, "too-many-guesses", "Too many wrong PINs; wait ten minutes, or scan the QR code.")
            if not hmac.compare_digest(pin.encode(), guess.strip().encode()):
                self._wrong[address].append(self._clock())
                self._wrong[""].append(self._clock())
                raise Refused(403, "wrong-pin", "This is not the PIN; the start page of the table's computer shows it.")


def register(app: Flask, config: Config) -> None:
    @app.before_request
    def guard() -> BaseResponse | None:
        check_host(config)
        check_origin()
        if request.endpoint not in UPLOADS:
            request.max_content_length = config.limits.body_bytes
        if "device" not in session:
            session["device"] = secrets.token_hex(12)
            session.permanent = True
        if config.pin is not None and request.endpoint not in OPEN and not trusted(config.pin):
            if wants_page():
                return redirect(url_for("start.join"))
            raise Refused(401, "pin-needed", "This table asks for a PIN; scan its QR code or enter the PIN.")
        return None

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response


UPLOADS: Final = frozenset({"table.upload", "history.restore", "live.frame"})


def check_host(config: Config) -> None:
    """A page elsewhere may point its own name at this machine; its name then stands in the request."""
    host = urlsplit(f"//{request.host}").hostname or ""
    if host not in config.hosts:
        raise Refused(
            421, "wrong-host", "This page does not answer to that name; use the address printed at the start."
        )


def check_origin() -> None:
    if request.method in SAFE:
        return
    origin = request.headers.get("Origin")
    if origin is not None:
        forged = origin != request.host_url.rstrip("/")
    else:  # browsers that send no Origin still say where a request comes from; programs say nothing
        forged = request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none")
    if forged:
        raise Refused(403, "forged-origin", "This came from another page and was refused; use the table's own page.")


def trusted(pin: str) -> bool:
    """At this machine, or with the PIN given before."""
    return at_this_machine() or hmac.compare_digest(str(session.get("pin", "")), pin)


def at_this_machine() -> bool:
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False

"""The app factory. Nothing is opened by an import: the database is opened here, threads start with the first photo."""

from __future__ import annotations

import secrets
from datetime import timedelta

from flask import Flask

from web import errors, security
from web.bus import Bus
from web.closeup import Pictures
from web.config import Config
from web.live import blueprint as live
from web.services import Journals, Services
from web.store import Store
from web.views import BLUEPRINTS
from web.worker import PhotoWorker


def create_app(config: Config) -> Flask:
    app = Flask(__name__, static_folder="static", template_folder="templates")
    store = Store(config.database)
    bus = Bus()
    app.extensions["companion"] = Services(
        config,
        store,
        bus,
        PhotoWorker(config, store, bus),
        Journals(store),
        security.Guesses(config.limits),
        Pictures(),
    )
    app.config.update(
        SECRET_KEY=store.setting("secret_key", secrets.token_hex(32)),
        MAX_CONTENT_LENGTH=config.limits.upload_bytes,
        SESSION_COOKIE_NAME="table",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=config.secure_cookies,
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # a score sheet's parts come in the order of the rules
    app.jinja_options["autoescape"] = True
    security.register(app, config)
    errors.register(app)
    for blueprint in (*BLUEPRINTS, live):
        app.register_blueprint(blueprint)
    return app

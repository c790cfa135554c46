"""The page: the whole table on every phone. `create_app(config)` makes it; see README.md beside this file."""

from web.app import create_app
from web.config import Config, Limits

__all__ = ["Config", "Limits", "create_app"]

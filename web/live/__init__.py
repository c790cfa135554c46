"""The live table: a camera watched by the server, or by a phone's browser that sends its frames here."""

from web.live.views import blueprint

__all__ = ["blueprint"]

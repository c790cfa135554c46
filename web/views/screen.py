"""Pages that show rather than ask: the television, and the score sheet."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.services import services
from web.state import game_state

blueprint = Blueprint("screen", __name__, url_prefix="/games")


@blueprint.get("/<game_id>/screen")
def screen(game_id: str) -> str:
    """For the television: the table, whose turn it is, the scores, and what somebody is looking at. No controls."""
    return render_template("screen.html", game=services().store.game(game_id), state=game_state(game_id))


@blueprint.get("/<game_id>/score")
def score(game_id: str) -> str:
    """The quick way: photograph the stashes, enter the quests, done."""
    return render_template("score.html", game=services().store.game(game_id), state=game_state(game_id))

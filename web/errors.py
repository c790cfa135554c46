"""One error shape for every answer: {"error": {"code": …, "message": …}}, the message a plain sentence."""

from __future__ import annotations

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.errors import AmbiguousMove, CompanionError, IllegalMove

SENTENCES = {
    404: "There is nothing here; go back to the start page.",
    405: "This cannot be done here; go back and try again.",
    413: "This file is too large; take a photo instead of a video, or choose a smaller one.",
    415: "This is not a photo; JPEG, PNG and WebP can be read.",
    500: "Something broke on our side; nothing you entered is lost. Try again.",
}


class Refused(CompanionError):
    """A request that is turned down, with a status and a code of its own."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def answer(status: int, code: str, message: str) -> Response:
    """As JSON for programs and for the page's own requests, as a page for a person who follows a link."""
    if wants_page():
        return make_response(render_template("error.html", message=message, status=status), status)
    return make_response(jsonify(error={"code": code, "message": message}), status)


def wants_page() -> bool:
    asked = request.accept_mimetypes
    return not request.path.endswith(".json") and asked["text/html"] > asked["application/json"]


def register(app: Flask) -> None:
    @app.errorhandler(CompanionError)
    def companion_error(problem: CompanionError) -> Response:
        if isinstance(problem, Refused):
            return answer(problem.status, problem.code, str(problem))
        if isinstance(problem, IllegalMove):
            return answer(409, "illegal", str(problem))
        return answer(400, "ambiguous" if isinstance(problem, AmbiguousMove) else "invalid", str(problem))

    @app.errorhandler(HTTPException)
    def http_error(problem: HTTPException) -> Response:
        status = problem.code or 500
        if status < 400:
            return make_response(problem.get_response())
        name = (problem.name or "error").lower().replace(" ", "-")
        return answer(status, name, SENTENCES.get(status, problem.description or "This did not work; try again."))

    @app.errorhandler(Exception)
    def anything(problem: Exception) -> Response:
        app.logger.error("request %s failed", g.get("request_name", request.path), exc_info=problem)
        return answer(500, "broken", SENTENCES[500])

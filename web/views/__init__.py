"""One blueprint a concern, listed by hand."""

from web.views import demo, drop, games, history, hustle, screen, start, stream, table, teach

BLUEPRINTS = (
    start.blueprint,
    demo.blueprint,
    games.blueprint,
    table.blueprint,
    stream.blueprint,
    drop.blueprint,
    hustle.blueprint,
    history.blueprint,
    screen.blueprint,
    teach.blueprint,
)

// The answer to three pillars: legal or why not, what the room takes, and where it is close; and the best rooms to try.
import { closeup } from "./closeup.js";
import { h, icon, plural } from "./dom.js";
import { kindOf, nameOf, swatch } from "./pieces.js";

export function verdictPanels(game, ui, { sideButton, show, clear, take, act }) {
  const active = () => game.state.play.heroes.find((hero) => hero.active);

  function bestRooms() {
    if (!ui.rooms) return h("p", { class: "soft", text: "Looking for rooms…" });
    if (!ui.rooms.rooms.length) return h("p", { text: "There is no legal room on this table." });
    return h(
      "section",
      { class: "stack" },
      h("h3", { text: "Best rooms" }),
      h(
        "ul",
        { class: "roomlist" },
        ui.rooms.rooms.map((room, number) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                "data-focus": `room-${number}`,
                onclick() {
                  show(room.pillars);
                },
              },
              h("span", { class: "big", text: room.points, "aria-label": plural(room.points, "point") }),
              h(
                "span",
                { class: "tally" },
                byType(room.takes).map(([type, count]) =>
                  h(
                    "span",
                    { class: "row tight" },
                    swatch(type),
                    h("span", { text: `${count} ${kindOf({ type }).name}` }),
                  ),
                ),
                !room.takes.length && "nothing",
                room.damage > 0 && h("span", { class: "chip bad", text: `${room.damage} damage` }),
                room.doubtful.length > 0 && h("span", { class: "chip doubt", text: "close call" }),
              ),
            ),
          ),
        ),
      ),
    );
  }

  function byType(takes) {
    const counts = new Map();
    for (const { type, count } of takes) counts.set(type, (counts.get(type) ?? 0) + count);
    return [...counts];
  }

  function verdictCard(room) {
    const calls = room.close.map((call) => closeup(game.id, game.state.table, room, call)).filter(Boolean);
    return h(
      "article",
      { class: `verdict ${room.legal ? "legal" : "illegal"}`, "aria-live": "polite" },
      h(
        "div",
        { class: "head" },
        h(
          "h2",
          { class: "call" },
          icon(room.legal ? "yes" : "no"),
          h("span", { text: room.legal ? "A legal room" : "Not legal" }),
        ),
        h(
          "div",
          { class: "figures" },
          h(
            "div",
            {},
            h("span", { class: "big", text: room.points }),
            h("small", { text: room.points === 1 ? "point" : "points" }),
          ),
          h("div", {}, h("span", { class: "big", text: room.damage }), h("small", { text: "damage" })),
        ),
      ),
      room.why_not.map((why) => h("p", { class: "note bad", text: why.message })),
      h(
        "ul",
        { class: "tally", "aria-label": "It takes" },
        room.takes.length
          ? room.takes.map(({ type, size, count }) =>
              h("li", {}, swatch(type), h("span", { text: `${count} ${nameOf({ type, size })}` })),
            )
          : h("li", { text: "It takes nothing." }),
      ),
      room.doubtful.length > 0 &&
        h("p", {
          class: "note doubt",
          text: `${plural(room.doubtful.length, "piece is", "pieces are")} too close to call. By the house rule ${room.doubtful.length === 1 ? "it counts" : "they count"} as ${game.state.play.house.doubt_counts_as_in ? "in" : "measured"}; the table may overrule.`,
        }),
      room.doubtful.length > 0 && !game.state.table.sides && sideButton("A photo from the other side may tell"),
      room.would_help &&
        h("p", {
          class: "note",
          text: `Legal if ${active().name} first uses a ${room.would_help.join(" or a ")} (under Heroes).`,
        }),
      overrule(room),
      h(
        "div",
        { class: "row" },
        active() && takeButton(room),
        h("button", { text: "Another room", "data-focus": "another", onclick: clear }),
      ),
      calls.length > 0 && h("section", { class: "stack" }, h("h3", { text: "Where it is close" }), calls),
    );
  }

  function takeButton(room) {
    if (room.legal)
      return h("button", {
        class: "primary",
        "data-focus": "take",
        text: `${active().name} takes it`,
        onclick: () => take(room),
      });
    return h("button", {
      class: "danger",
      "data-focus": "lost",
      text: "It was formed: the turn is lost",
      onclick: () => act("turn", { how: "illegal", pillars: room.pillars }),
    });
  }

  // The table may overrule what is too close to call.
  function overrule(room) {
    const near = room.doubtful
      .map((id) => game.state.table.pieces.find((piece) => piece.id === id))
      .filter((piece) => piece && piece.type !== "pillar");
    return (
      active() &&
      near.length > 0 &&
      h(
        "fieldset",
        { class: "card" },
        h("legend", { text: "The table decides" }),
        near.map((piece) =>
          h(
            "label",
            { class: "check" },
            h("input", {
              type: "checkbox",
              checked: !ui.without.has(piece.id),
              onchange(event) {
                if (event.target.checked) ui.without.delete(piece.id);
                else ui.without.add(piece.id);
              },
            }),
            h("span", { text: `${nameOf(piece)} is in` }),
          ),
        ),
      )
    );
  }

  return { active, bestRooms, verdictCard };
}

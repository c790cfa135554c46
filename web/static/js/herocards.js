// A hero at the table: health, stash, and the way to a secret quest.
import { h, s } from "./dom.js";
import { kindOf, swatch } from "./pieces.js";

// A name as the notation of events writes it.
export const word = (text) => encodeURIComponent(text).replaceAll("'", "%27") || "%-";

export const questButton = (game, ui, hero, again) => {
  const mine = game.state.secrets.mine[hero.name],
    other = game.state.secrets.entered.includes(hero.name) && !mine;
  return other
    ? h("span", { class: "chip", text: "quest kept secret" })
    : h("button", {
        "data-focus": `quest-${hero.name}`,
        text: mine ? "My quest" : "Enter quest",
        onclick() {
          ui.quest = hero.name;
          again();
        },
      });
};

export function heroCard(game, hero, ...more) {
  return h(
    "li",
    { class: `card stack hero-card${hero.active ? " turn" : ""}`, "data-hero": hero.name },
    h(
      "div",
      { class: "row spread" },
      h("h3", { text: hero.name }),
      h(
        "span",
        { class: "row" },
        hero.active && h("span", { class: "chip good", text: "has the turn" }),
        h("span", { class: "chip", text: `weight ${hero.weight}` }),
        game.state.play.teamwork && h("span", { class: "chip", text: `teamwork ${hero.teamwork}` }),
      ),
    ),
    hearts(hero),
    stash(hero.stash),
    ...more,
  );
}

function hearts({ health, damage }) {
  return h(
    "div",
    { class: "hearts", role: "img", "aria-label": `${health - damage} of ${health} health left` },
    Array.from({ length: health }, (_, number) =>
      s(
        "svg",
        { class: `heart${number >= health - damage ? " covered" : ""}`, viewBox: "0 0 24 24" },
        s("path", { d: "M12 20S3 14 3 8.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 9 1.500C21 14 12 20 12 20z" }),
      ),
    ),
  );
}

export function stash(cubes) {
  if (!cubes.length) return h("p", { class: "soft", text: "Nothing in the stash yet." });
  const counts = new Map();
  for (const { type, number } of cubes) counts.set(type, (counts.get(type) ?? 0) + number);
  return h(
    "ul",
    { class: "tally" },
    [...counts].map(([type, number]) =>
      h("li", {}, swatch(type), h("span", { text: `${number} ${kindOf({ type }).name}` })),
    ),
  );
}

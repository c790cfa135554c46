// Who plays Dungeon Hustle, and how the board lies.
import { HEROES } from "./cards.js";
import { h } from "./dom.js";
import { boardLines, word } from "./hustlenotation.js";

const CORNERS = ["top-left", "top-right", "bottom-right", "bottom-left"];

export function setup(game, send) {
  const { heroes } = game.state.play,
    free = Object.keys(HEROES).filter((who) => who !== "hero" && !heroes.some((hero) => hero.hero === who));
  const corner = (label, name, chosen) =>
    h(
      "label",
      {},
      h("span", { text: label }),
      h(
        "select",
        { name },
        CORNERS.map((value) => h("option", { value, text: value.replace("-", " "), selected: value === chosen })),
      ),
    );
  return [
    h("h2", { text: heroes.length ? "Heroes at the table" : "Who plays?" }),
    h(
      "ul",
      { class: "stack" },
      heroes.map((hero) =>
        h(
          "li",
          { class: "card row spread" },
          h("strong", { text: hero.player }),
          h("span", { class: "chip", text: hero.hero }),
        ),
      ),
    ),
    free.length > 0 &&
      h(
        "form",
        {
          class: "card stack",
          onsubmit(event) {
            event.preventDefault();
            const data = Object.fromEntries(new FormData(event.target)),
              list = (text) =>
                text
                  .split(/[^0-9]+/)
                  .filter(Boolean)
                  .join("/");
            const extra = [
              ["level_gold", list(data.level_gold)],
              ["hand_sizes", list(data.hand_sizes)],
            ]
              .filter(([, value]) => value)
              .map(([key, value]) => ` ${key}=${value}`)
              .join("");
            send([`player name=${word(data.name.trim())} hero=${data.hero}${extra}`], `${data.name.trim()} joined`);
          },
        },
        h(
          "div",
          { class: "thirds" },
          h(
            "label",
            {},
            h("span", { text: "Name" }),
            h("input", { type: "text", name: "name", required: true, maxlength: 40, autocomplete: "off" }),
          ),
          h(
            "label",
            {},
            h("span", { text: "Hero" }),
            h(
              "select",
              { name: "hero" },
              free.map((who) => h("option", { value: who, text: who })),
            ),
          ),
        ),
        h(
          "details",
          {},
          h("summary", { text: "From the character card" }),
          h(
            "div",
            { class: "thirds" },
            h(
              "label",
              {},
              h("span", { text: "Gold for levels 2, 3, 4" }),
              h("input", { type: "text", name: "level_gold", inputmode: "numeric" }),
            ),
            h(
              "label",
              {},
              h("span", { text: "Hand sizes, levels 1 to 4" }),
              h("input", { type: "text", name: "hand_sizes", inputmode: "numeric" }),
            ),
          ),
        ),
        h("button", { class: "primary wide", text: "Join" }),
      ),
    heroes.length > 1 &&
      (game.state.table
        ? h(
            "form",
            {
              class: "card stack",
              onsubmit(event) {
                event.preventDefault();
                const data = Object.fromEntries(new FormData(event.target)),
                  lines = boardLines(game.state.table, heroes);
                send(
                  [
                    `layout trove=${data.trove} stairs=${data.stairs}`,
                    `difficulty level=${data.level}`,
                    lines[0],
                    `start first=${word(data.first)}`,
                    ...lines.slice(1),
                  ],
                  "the game began",
                );
              },
            },
            h("h3", { text: "The board" }),
            h(
              "div",
              { class: "thirds" },
              corner("Treasure Trove", "trove", "top-left"),
              corner("Stairs", "stairs", "bottom-right"),
              h(
                "label",
                {},
                h("span", { text: "Difficulty" }),
                h(
                  "select",
                  { name: "level" },
                  ["easy", "normal", "hard"].map((value) => h("option", { value, text: value })),
                ),
              ),
              h(
                "label",
                {},
                h("span", { text: "Begins" }),
                h(
                  "select",
                  { name: "first" },
                  heroes.map((hero) => h("option", { value: hero.player, text: hero.player })),
                ),
              ),
            ),
            h("button", { class: "primary wide", text: "Start the game" }),
          )
        : h("p", { class: "note", text: "Photograph the board, then the game can start." })),
  ];
}

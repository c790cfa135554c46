// Dungeon Hustle's heroes: whose turn it is, hands, gold and levels, quests, the score so far.
import { miniCard } from "./cards.js";
import { fill, h } from "./dom.js";
import { word } from "./hustlenotation.js";
import { phasePanel } from "./hustlephases.js";
import { setup } from "./hustlesetup.js";

export function hustleHeroes(element, game, ui, send, colours, again) {
  const { play, table } = game.state;
  fill(
    element,
    JSON.stringify([
      "heroes",
      play,
      ui.joining,
      ui.pay,
      ui.drawn,
      ui.entering,
      ui.item,
      table?.photo.id,
      table?.revealed,
    ]),
    () => {
      if (play.phase === "setup") return setup(game, send);
      const here = play.heroes.find((hero) => hero.player === play.turn);
      return [
        play.phase === "over"
          ? h("h2", { text: play.monsters_win ? "The monsters have won" : "The game is over" })
          : phasePanel(game, ui, send, colours, again, here),
        sheet(play.score),
        heroCards(game, send),
      ];
    },
  );
}

function heroCards(game, send) {
  const { play } = game.state;
  return h(
    "ul",
    { class: "stack" },
    play.heroes.map((hero) =>
      h(
        "li",
        { class: `card stack hero-card${hero.player === play.turn ? " turn" : ""}`, "data-hero": hero.player },
        h(
          "div",
          { class: "row spread" },
          h("h3", { text: hero.player }),
          h(
            "span",
            { class: "row" },
            h("span", { class: "chip", text: hero.hero }),
            h("span", { class: "chip", text: `level ${hero.level}` }),
            h("span", { class: "chip", text: `${hero.gold} gold` }),
            hero.helping.charged && h("span", { class: "chip good", text: "can help" }),
          ),
        ),
        h(
          "div",
          { class: "row", "aria-label": "Hand" },
          hero.hand.map(miniCard),
          !hero.hand.length && h("small", { text: "No cards in hand." }),
        ),
        hero.can_pay.quests.length > 0 &&
          h("p", {
            class: "note good",
            text: `Can pay the quest at ${hero.can_pay.quests.map((name) => name.replace("-", " ")).join(" and ")}.`,
          }),
        hero.items.length > 0 &&
          h("p", {
            class: "soft",
            text: `Items: ${hero.items.map((item) => `${item.name}${item.charged ? "" : " (used)"}`).join(", ")}`,
          }),
        h(
          "div",
          { class: "row" },
          h("button", {
            text: "+1 gold",
            "aria-label": `One gold more for ${hero.player}`,
            "data-focus": `gold-${hero.player}`,
            onclick: () => send([`gold player=${word(hero.player)} amount=1`], `${hero.player} got 1 gold`),
          }),
          h("button", {
            text: "−1",
            disabled: hero.gold === 0,
            "aria-label": `One gold less for ${hero.player}`,
            "data-focus": `less-${hero.player}`,
            onclick: () => send([`gold player=${word(hero.player)} amount=-1`], `${hero.player} paid 1 gold`),
          }),
          h("button", {
            text: "Level up",
            disabled: hero.level > 3,
            "data-focus": `level-${hero.player}`,
            onclick: () =>
              send(
                [`level player=${word(hero.player)} level=${hero.level + 1} gold=${hero.gold}`],
                `${hero.player} reached level ${hero.level + 1}`,
              ),
          }),
        ),
      ),
    ),
    Object.entries(play.corners)
      .filter(([, corner]) => corner.face_up && !corner.quest)
      .map(([name]) => questCard(name, send)),
  );
}

function questCard(name, send) {
  return h(
    "li",
    {},
    h(
      "details",
      { class: "card" },
      h("summary", { text: `Enter the quest at ${name.replace("-", " ")}` }),
      h(
        "form",
        {
          class: "stack",
          onsubmit(event) {
            event.preventDefault();
            const data = Object.fromEntries(new FormData(event.target));
            const needs = ["potion", "scroll", "sword", "key", "shield"].flatMap((symbol) =>
              Array.from({ length: Number(data[symbol] || 0) }, () => symbol),
            );
            send(
              [
                `quest corner=${name} name=${word(data.name.trim() || name)} needs=${needs.join("/")} gold=${Number(data.gold || 0)} points=${Number(data.points || 0)}`,
              ],
              "quest entered",
            );
          },
        },
        h("label", {}, h("span", { text: "Name" }), h("input", { type: "text", name: "name", maxlength: 40 })),
        h(
          "div",
          { class: "thirds" },
          ["potion", "scroll", "sword", "key", "shield", "gold", "points"].map((key) =>
            h(
              "label",
              {},
              h("span", { text: key === "gold" ? "Gold won" : key === "points" ? "Points" : `${key}s needed` }),
              h("input", { type: "number", name: key, min: 0, max: 20, value: 0 }),
            ),
          ),
        ),
        h("button", { text: "Keep" }),
      ),
    ),
  );
}

function sheet(score) {
  if (!score.scores?.length) return null;
  const parts = Object.keys(score.scores[0].parts ?? {});
  return h(
    "details",
    {},
    h("summary", { text: "Score so far" }),
    h(
      "div",
      { class: "scroller" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td"),
            score.scores.map((one) => h("th", { scope: "col", class: "number", text: one.name })),
          ),
        ),
        h(
          "tbody",
          {},
          parts.map((part) =>
            h(
              "tr",
              {},
              h("th", { scope: "row", text: part }),
              score.scores.map((one) => h("td", { class: "number", text: one.parts[part] })),
            ),
          ),
        ),
        h(
          "tfoot",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "row", text: "total" }),
            score.scores.map((one) => h("td", { class: "number" }, h("strong", { text: one.total }))),
          ),
        ),
      ),
    ),
  );
}

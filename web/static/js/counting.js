// The end of a game: stashes counted against the record, chests rolled, the sums laid open.
import { h, icon, plural } from "./dom.js";
import { heroCard, questButton, word } from "./herocards.js";
import { kindOf } from "./pieces.js";

export function counting(game, ui, send, call, again) {
  const { play, stashes, secrets } = game.state,
    over = play.phase === "over";
  const hidden = play.heroes.filter((hero) => !hero.has_quest);
  return [
    h("h2", { text: over ? "The final score" : "Count the treasure" }),
    play.sheet && sheet(play.sheet),
    hidden.some((hero) => secrets.entered.includes(hero.name)) &&
      h("button", {
        class: "primary wide",
        text: "Reveal the quests",
        "data-focus": "reveal",
        onclick: () => call("reveal"),
      }),
    h(
      "ul",
      { class: "stack" },
      play.heroes.map((hero) => {
        const photo = stashes[hero.name],
          differs = photo ? difference(hero.stash, photo.pieces) : null,
          left = hero.chests - hero.rolls.length;
        return heroCard(
          game,
          hero,
          !over && !hero.has_quest && questButton(game, ui, hero, again),
          hero.quest && h("p", { class: "soft", text: `Quest: ${questWords(hero.quest)}` }),
          !over &&
            h(
              "button",
              { "data-focus": `stash-${hero.name}`, onclick: () => game.shoot("stash", hero.name) },
              icon("camera"),
              photo ? "Photograph the stash again" : "Photograph the stash",
            ),
          differs &&
            (differs.length
              ? h(
                  "div",
                  { class: "note doubt" },
                  h("p", { text: `The photo shows otherwise: ${differs.join(", ")}.` }),
                  !over &&
                    h("button", {
                      text: "The photo is right",
                      "data-focus": `photo-${hero.name}`,
                      onclick: () => call("count", { hero: hero.name }),
                    }),
                )
              : h("p", { class: "note good", text: "The photo agrees with the record." })),
          left > 0 &&
            h(
              "div",
              { class: "stack" },
              h("p", { text: `Roll ${plural(left, "chest")} and tap what it shows:` }),
              rolls(photo, hero, (number) =>
                send([`roll ${word(hero.name)} ${number}`], `${hero.name} rolled ${number}`),
              ),
            ),
          hero.rolls.length > 0 && h("p", { class: "soft", text: `Rolled: ${hero.rolls.join(", ")}` }),
        );
      }),
    ),
    !over &&
      h("button", {
        class: "primary wide",
        text: "The score stands",
        "data-focus": "finish",
        disabled: !play.sheet,
        onclick: () => send(["finish"], "the score stands"),
      }),
  ];
}

const rolls = (photo, hero, set) => {
  const seen = (photo?.pieces ?? [])
    .filter((piece) => piece.type === "chest" && piece.shows)
    .map((piece) => piece.shows)[hero.rolls.length];
  return h(
    "div",
    { class: "row", role: "group", "aria-label": "The die shows" },
    [1, 2, 3, 4, 5, 6].map((number) =>
      h("button", {
        text: number,
        class: number === seen ? "primary" : null,
        "data-focus": `roll-${hero.name}-${number}`,
        onclick: () => set(number),
      }),
    ),
    seen && h("small", { text: `The photo shows ${seen}.` }),
  );
};

function difference(record, pieces) {
  const counts = new Map();
  const put = (type, size, by) => {
    const key = `${type} ${size ?? ""}`;
    counts.set(key, { type, size, by: (counts.get(key)?.by ?? 0) + by });
  };
  for (const { type, size, number } of record) put(type, size, -number);
  for (const { type, size } of pieces) if (!["pillar", "meeple", "staircase"].includes(type)) put(type, size, 1);
  return [...counts.values()]
    .filter(({ by }) => by)
    .map(
      ({ type, size, by }) =>
        `${Math.abs(by)} ${size ? { S: "small ", L: "large ", H: "huge " }[size] : ""}${kindOf({ type }).name} ${by > 0 ? "more" : "fewer"}`,
    );
}

const questWords = (quest) => {
  const value = (gem) =>
    typeof gem === "object"
      ? Object.entries(gem)
          .map(([size, points]) => `${points} (${size})`)
          .join("/")
      : gem;
  const gems = ["gem-clear", "gem-pink", "gem-blue"]
    .filter((gem) => quest[gem] !== undefined)
    .map((gem) => `${kindOf({ type: gem }).name} ${value(quest[gem])}`);
  return (
    [...gems, ...(quest.bonus ?? []).map((bonus) => `${bonus.note || bonus.kind} ${bonus.points}`)].join(", ") || "none"
  );
};

export function sheet({ scores, winner }) {
  const parts = Object.keys(scores[0]?.parts ?? {});
  return h(
    "div",
    { class: "scroller" },
    h(
      "table",
      {},
      h("caption", { text: `${winner} wins` }),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", text: "" }),
          scores.map((score) => h("th", { scope: "col", class: "number", text: score.name })),
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
            scores.map((score) => h("td", { class: "number", text: score.parts[part] })),
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
          scores.map((score) => h("td", { class: "number" }, h("strong", { text: score.total }))),
        ),
      ),
    ),
  );
}

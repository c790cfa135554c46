// A quest as its card says it: what gems are worth, and one bonus. It stays on this phone until the end.
import { h } from "./dom.js";
import { KINDS } from "./pieces.js";

const GEMS = ["gem-clear", "gem-pink", "gem-blue"];
const KIND_WORDS = {
  "": "no bonus",
  each: "points for each",
  set: "points for each set of",
  "at-least": "points for at least",
  "at-most": "points for at most",
  most: "points for having the most",
  fewest: "points for having the fewest",
  points: "a fixed number of points",
};

export function questFields(quest = {}) {
  const bonus = quest.bonus?.[0] ?? {};
  const number = (label, name, value, extra = {}) =>
    h(
      "label",
      {},
      h("span", { text: label }),
      h("input", { type: "number", name, value: value ?? "", min: -99, max: 99, ...extra }),
    );
  return [
    h(
      "div",
      { class: "thirds" },
      GEMS.map((gem) =>
        number(`Each ${KINDS[gem].name}`, gem, typeof quest[gem] === "object" ? quest[gem].S : (quest[gem] ?? 0)),
      ),
    ),
    h(
      "label",
      {},
      h("span", { text: "Bonus" }),
      h(
        "select",
        { name: "kind" },
        Object.entries(KIND_WORDS).map(([kind, text]) =>
          h("option", { value: kind, text, selected: (bonus.kind ?? "") === kind }),
        ),
      ),
    ),
    h(
      "div",
      { class: "thirds" },
      number("Points", "points", bonus.points),
      number("How many", "count", bonus.count, { min: 0 }),
      h(
        "label",
        {},
        h("span", { text: "Of" }),
        h(
          "select",
          { name: "type" },
          h("option", { value: "", text: "anything" }),
          Object.entries(KINDS)
            .filter(([type]) => !["pillar", "staircase", "meeple"].includes(type))
            .map(([type, kind]) => h("option", { value: type, text: kind.name, selected: bonus.type?.[0] === type })),
        ),
      ),
    ),
  ];
}

export function questFrom(form) {
  const data = new FormData(form),
    quest = {};
  for (const gem of GEMS) quest[gem] = Number(data.get(gem) || 0);
  const kind = data.get("kind");
  if (kind) {
    const type = data.get("type"),
      bonus = { kind, points: Number(data.get("points") || 0) };
    if (kind === "set") bonus.type = GEMS;
    else if (type && kind !== "points") bonus.type = [type];
    if (data.get("count") && ["each", "at-least", "at-most"].includes(kind)) bonus.count = Number(data.get("count"));
    quest.bonus = [bonus];
  }
  return quest;
}

export function questForm(game, ui, call, close) {
  const hero = ui.quest,
    mine = game.state.secrets.mine[hero];
  const leave = () => {
    ui.quest = null;
    close();
  };
  return h(
    "form",
    {
      class: "stack",
      async onsubmit(event) {
        event.preventDefault();
        if (await call("quest", { hero, quest: questFrom(event.target) })) leave();
      },
    },
    h("h2", { text: `${hero}'s quest` }),
    h("p", { class: "note", text: "Only this phone shows it until the end of the game." }),
    questFields(mine),
    h(
      "div",
      { class: "row" },
      h("button", { class: "primary", text: "Keep it secret" }),
      h("button", { type: "button", text: "Back", onclick: leave }),
    ),
  );
}

// Dungeon Drop's heroes: who plays, and whose turn it is.
import { attempt, post } from "./api.js";
import { counting } from "./counting.js";
import { fill, h, icon, plural } from "./dom.js";
import { heroCard, questButton, word } from "./herocards.js";
import { questForm } from "./quests.js";

const MEEPLES = ["", "red", "blue", "green", "yellow", "purple", "orange", "black", "white"];

export function heroesPanel(element, game, ui) {
  const play = game.state.play,
    send = (lines, says) =>
      attempt(async () => {
        try {
          return await post(`/games/${game.id}/plays`, { lines, says, after: game.state.seq });
        } finally {
          game.live.refresh();
        }
      });
  const call = (path, data = {}) =>
    attempt(async () => {
      try {
        return await post(`/games/${game.id}/${path}`, { after: game.state.seq, ...data });
      } finally {
        game.live.refresh();
      }
    });
  fill(
    element,
    JSON.stringify([
      "heroes",
      play.phase,
      play.heroes,
      play.order,
      play.turn,
      play.round,
      game.state.secrets,
      ui.quest,
      ui.joining,
      game.state.stashes,
      play.sheet,
      play.box,
      play.house,
    ]),
    () => {
      if (ui.quest) return questForm(game, ui, call, () => heroesPanel(element, game, ui));
      const again = () => heroesPanel(element, game, ui);
      if (play.phase === "setup") return setup(game, ui, send, again);
      if (play.phase === "play") return turns(game, ui, send, call, again);
      return counting(game, ui, send, call, again);
    },
  );
}

function setup(game, ui, send, again) {
  const { heroes } = game.state.play,
    open = ui.joining || !heroes.length;
  const join = (event) => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(event.target));
    const extra = ["race", "role", "meeple"]
      .filter((key) => data[key].trim())
      .map((key) => ` ${key}=${word(data[key].trim())}`)
      .join("");
    ui.joining = false;
    send(
      [`join ${word(data.name.trim())} ${Number(data.initiative)} ${Number(data.health)}${extra}`],
      `${data.name.trim()} joined`,
    );
  };
  const field = (label, name, attributes = {}) =>
    h(
      "label",
      {},
      h("span", { text: label }),
      h("input", { type: "text", name, autocomplete: "off", maxlength: 40, ...attributes }),
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
          h(
            "span",
            {},
            h("strong", { text: hero.name }),
            h("small", { text: ` initiative ${hero.initiative}, health ${hero.health}` }),
          ),
          questButton(game, ui, hero, again),
        ),
      ),
    ),
    open
      ? h(
          "form",
          { class: "card stack", onsubmit: join },
          field("Name", "name", { required: true, "data-focus": "name" }),
          h(
            "div",
            { class: "thirds" },
            field("Initiative", "initiative", {
              type: "number",
              min: 0,
              max: 99,
              required: true,
              value: heroes.length + 1,
            }),
            field("Health", "health", { type: "number", min: 1, max: 30, required: true, value: 8 }),
            h(
              "label",
              {},
              h("span", { text: "Meeple" }),
              h(
                "select",
                { name: "meeple" },
                MEEPLES.map((colour) => h("option", { value: colour, text: colour || "none" })),
              ),
            ),
          ),
          h("div", { class: "thirds" }, field("Race", "race"), field("Class", "role")),
          h("p", { class: "soft", text: "Initiative and health stand on the race card." }),
          h("button", { class: "primary wide", text: "Join" }),
        )
      : heroes.length < 4 &&
        h(
          "button",
          {
            class: "wide",
            "data-focus": "another",
            onclick() {
              ui.joining = true;
              again();
            },
          },
          icon("plus"),
          "Another hero",
        ),
    heroes.length > 0 &&
      h(
        "form",
        {
          class: "stack",
          onsubmit(event) {
            event.preventDefault();
            send([event.target.teamwork.checked ? "start teamwork=yes" : "start"], "the game began");
          },
        },
        h(
          "label",
          { class: "check" },
          h("input", { type: "checkbox", name: "teamwork" }),
          h("span", { text: "Play with teamwork meeples" }),
        ),
        h("button", { class: "primary wide", text: "Start the game" }),
      ),
    houseRules(game.state.play.house, send),
  ];
}

// Where the rulebook is silent, a table may play otherwise.
const HOUSE = {
  doubt_counts_as_in: "What is too close to call counts as in",
  leaning_by_projection: "A leaning cube covers what it covers from above",
  must_loot: "Whoever can take a room has to",
  illegal_room_loses_turn: "An illegal room loses the turn",
};
const houseRules = (house, send) =>
  h(
    "details",
    {},
    h("summary", { text: "House rules" }),
    Object.entries(HOUSE).map(([name, text]) =>
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          checked: house[name],
          "data-focus": name,
          onchange(event) {
            const next = { ...house, [name]: event.target.checked };
            send(
              [
                `house ${Object.keys(HOUSE)
                  .map((key) => `${key}=${next[key] ? "yes" : "no"}`)
                  .join(" ")}`,
              ],
              "house rule changed",
            );
          },
        }),
        h("span", { text }),
      ),
    ),
  );

function turns(game, ui, send, call, again) {
  const { play } = game.state,
    active = play.heroes.find((hero) => hero.active),
    next = new Set(play.next);
  const others = play.heroes.filter((hero) => !hero.active && !play.turn.meeples.includes(hero.name));
  const ability = (kind) =>
    send([...(play.turn.explored ? [] : ["explore"]), `act ${kind}`], `${active.name} used the ${kind} ability`);
  return [
    h(
      "div",
      { class: "row spread" },
      h("h2", { text: `Round ${play.round} of ${play.rounds}` }),
      play.box !== null && h("span", { class: "chip", text: `${play.box} left in the box` }),
    ),
    h(
      "section",
      { class: "card stack" },
      h("h3", { text: `${active.name}'s turn` }),
      !play.turn.explored &&
        play.explore &&
        h("p", { text: `Draw ${plural(play.explore, "cube")} from the box, drop them, and take a photo.` }),
      h("p", { class: "soft", text: "Then choose a room under Rooms and take it." }),
      h(
        "div",
        { class: "row" },
        !play.turn.acted && [
          h("button", { text: "Used race ability", "data-focus": "race", onclick: () => ability("race") }),
          h("button", { text: "Used class ability", "data-focus": "class", onclick: () => ability("class") }),
        ],
        next.has("potion") &&
          h("button", {
            text: "Drink a potion",
            "data-focus": "potion",
            onclick: () => send(["potion"], `${active.name} drank a potion`),
          }),
        next.has("shield") &&
          h("button", {
            text: "Drop a shield",
            "data-focus": "shield",
            onclick: () => send(["shield"], `${active.name} dropped a shield`),
          }),
        play.teamwork &&
          others.map((hero) =>
            h("button", {
              text: `${hero.name}'s meeple is in`,
              "data-focus": `meeple-${hero.name}`,
              onclick: () => send([`meeple ${word(hero.name)}`], `${hero.name} placed a meeple`),
            }),
          ),
        h("button", { text: "No room to take", "data-focus": "pass", onclick: () => call("turn", { how: "pass" }) }),
      ),
      play.turn.acted &&
        h("p", { class: "note", text: `The ${play.turn.acted} ability was used. If cubes moved, take a new photo.` }),
    ),
    h(
      "ol",
      { class: "stack", "aria-label": "Turn order" },
      play.order
        .map((name) => play.heroes.find((hero) => hero.name === name))
        .map((hero) =>
          heroCard(
            game,
            hero,
            h(
              "div",
              { class: "row" },
              questButton(game, ui, hero, again),
              h("button", {
                "aria-label": `One damage more for ${hero.name}`,
                "data-focus": `hurt-${hero.name}`,
                text: "+1 damage",
                onclick: () => send([`damage ${word(hero.name)} ${hero.damage + 1}`], `${hero.name} took 1 damage`),
              }),
              h("button", {
                "aria-label": `One damage less for ${hero.name}`,
                "data-focus": `heal-${hero.name}`,
                disabled: hero.damage === 0,
                text: "−1",
                onclick: () => send([`damage ${word(hero.name)} ${hero.damage - 1}`], `${hero.name} healed 1`),
              }),
            ),
          ),
        ),
    ),
  ];
}

// Dungeon Drop's heroes: who plays, whose turn it is, stashes, health and the final count.
import { attempt, post } from "./api.js";
import { fill, h, icon, plural, s } from "./dom.js";
import { kindOf, swatch } from "./pieces.js";
import { questForm } from "./quests.js";

const MEEPLES = ["", "red", "blue", "green", "yellow", "purple", "orange", "black", "white"];
const word = (text) => encodeURIComponent(text).replaceAll("'", "%27") || "%-";

export function heroesPanel(element, game, ui) {
  const play = game.state.play, send = (lines, says) => attempt(async () => { try { return await post(`/games/${game.id}/plays`, { lines, says, after: game.state.seq }); } finally { game.live.refresh(); } });
  const call = (path, data = {}) => attempt(async () => { try { return await post(`/games/${game.id}/${path}`, { after: game.state.seq, ...data }); } finally { game.live.refresh(); } });
  fill(element, JSON.stringify(["heroes", play.phase, play.heroes, play.order, play.turn, play.round, game.state.secrets, ui.quest, ui.joining, game.state.stashes, play.sheet, play.box, play.house]), () => {
    if (ui.quest) return questForm(game, ui, call, () => heroesPanel(element, game, ui));
    const again = () => heroesPanel(element, game, ui);
    if (play.phase === "setup") return setup(game, ui, send, again);
    if (play.phase === "play") return turns(game, ui, send, call, again);
    return counting(game, ui, send, call, again);
  });
}

function setup(game, ui, send, again) {
  const { heroes } = game.state.play, open = ui.joining || !heroes.length;
  const join = (event) => {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(event.target));
    const extra = ["race", "role", "meeple"].filter((key) => data[key].trim()).map((key) => ` ${key}=${word(data[key].trim())}`).join("");
    ui.joining = false;
    send([`join ${word(data.name.trim())} ${Number(data.initiative)} ${Number(data.health)}${extra}`], `${data.name.trim()} joined`);
  };
  const field = (label, name, attributes = {}) => h("label", {}, h("span", { text: label }), h("input", { type: "text", name, autocomplete: "off", maxlength: 40, ...attributes }));
  return [
    h("h2", { text: heroes.length ? "Heroes at the table" : "Who plays?" }),
    h("ul", { class: "stack" }, heroes.map((hero) => h("li", { class: "card row spread" }, h("span", {}, h("strong", { text: hero.name }), h("small", { text: ` initiative ${hero.initiative}, health ${hero.health}` })), questButton(game, ui, hero, again)))),
    open ? h("form", { class: "card stack", onsubmit: join },
      field("Name", "name", { required: true, "data-focus": "name" }),
      h("div", { class: "thirds" },
        field("Initiative", "initiative", { type: "number", min: 0, max: 99, required: true, value: heroes.length + 1 }),
        field("Health", "health", { type: "number", min: 1, max: 30, required: true, value: 8 }),
        h("label", {}, h("span", { text: "Meeple" }), h("select", { name: "meeple" }, MEEPLES.map((colour) => h("option", { value: colour, text: colour || "none" }))))),
      h("div", { class: "thirds" }, field("Race", "race"), field("Class", "role")),
      h("p", { class: "soft", text: "Initiative and health stand on the race card." }),
      h("button", { class: "primary wide", text: "Join" }))
      : heroes.length < 4 && h("button", { class: "wide", "data-focus": "another", onclick() { ui.joining = true; again(); } }, icon("plus"), "Another hero"),
    heroes.length > 0 && h("form", { class: "stack", onsubmit(event) { event.preventDefault(); send([event.target.teamwork.checked ? "start teamwork=yes" : "start"], "the game began"); } },
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "teamwork" }), h("span", { text: "Play with teamwork meeples" })),
      h("button", { class: "primary wide", text: "Start the game" })),
    houseRules(game.state.play.house, send),
  ];
}

// Where the rulebook is silent, a table may play otherwise.
const HOUSE = { doubt_counts_as_in: "What is too close to call counts as in", leaning_by_projection: "A leaning cube covers what it covers from above", must_loot: "Whoever can take a room has to", illegal_room_loses_turn: "An illegal room loses the turn" };
const houseRules = (house, send) => h("details", {}, h("summary", { text: "House rules" }), Object.entries(HOUSE).map(([name, text]) => h("label", { class: "check" },
  h("input", { type: "checkbox", checked: house[name], "data-focus": name, onchange(event) { const next = { ...house, [name]: event.target.checked }; send([`house ${Object.keys(HOUSE).map((key) => `${key}=${next[key] ? "yes" : "no"}`).join(" ")}`], "house rule changed"); } }), h("span", { text }))));

const questButton = (game, ui, hero, again) => {
  const mine = game.state.secrets.mine[hero.name], other = game.state.secrets.entered.includes(hero.name) && !mine;
  return other ? h("span", { class: "chip", text: "quest kept secret" }) : h("button", { "data-focus": `quest-${hero.name}`, text: mine ? "My quest" : "Enter quest", onclick() { ui.quest = hero.name; again(); } });
};

function heroCard(game, hero, ...more) {
  return h("li", { class: `card stack hero-card${hero.active ? " turn" : ""}`, "data-hero": hero.name },
    h("div", { class: "row spread" }, h("h3", { text: hero.name }), h("span", { class: "row" }, hero.active && h("span", { class: "chip good", text: "has the turn" }), h("span", { class: "chip", text: `weight ${hero.weight}` }), game.state.play.teamwork && h("span", { class: "chip", text: `teamwork ${hero.teamwork}` }))),
    hearts(hero), stash(hero.stash), ...more);
}

function hearts({ health, damage }) {
  return h("div", { class: "hearts", role: "img", "aria-label": `${health - damage} of ${health} health left` }, Array.from({ length: health }, (_, number) =>
    s("svg", { class: `heart${number >= health - damage ? " covered" : ""}`, viewBox: "0 0 24 24" }, s("path", { d: "M12 20S3 14 3 8.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 9 1.500C21 14 12 20 12 20z" }))));
}

export function stash(cubes) {
  if (!cubes.length) return h("p", { class: "soft", text: "Nothing in the stash yet." });
  const counts = new Map();
  for (const { type, number } of cubes) counts.set(type, (counts.get(type) ?? 0) + number);
  return h("ul", { class: "tally" }, [...counts].map(([type, number]) => h("li", {}, swatch(type), h("span", { text: `${number} ${kindOf({ type }).name}` }))));
}

function turns(game, ui, send, call, again) {
  const { play } = game.state, active = play.heroes.find((hero) => hero.active), next = new Set(play.next);
  const others = play.heroes.filter((hero) => !hero.active && !play.turn.meeples.includes(hero.name));
  const ability = (kind) => send([...(play.turn.explored ? [] : ["explore"]), `act ${kind}`], `${active.name} used the ${kind} ability`);
  return [
    h("div", { class: "row spread" }, h("h2", { text: `Round ${play.round} of ${play.rounds}` }), play.box !== null && h("span", { class: "chip", text: `${play.box} left in the box` })),
    h("section", { class: "card stack" }, h("h3", { text: `${active.name}'s turn` }),
      !play.turn.explored && play.explore && h("p", { text: `Draw ${plural(play.explore, "cube")} from the box, drop them, and take a photo.` }),
      h("p", { class: "soft", text: "Then choose a room under Rooms and take it." }),
      h("div", { class: "row" },
        !play.turn.acted && [h("button", { text: "Used race ability", "data-focus": "race", onclick: () => ability("race") }), h("button", { text: "Used class ability", "data-focus": "class", onclick: () => ability("class") })],
        next.has("potion") && h("button", { text: "Drink a potion", "data-focus": "potion", onclick: () => send(["potion"], `${active.name} drank a potion`) }),
        next.has("shield") && h("button", { text: "Drop a shield", "data-focus": "shield", onclick: () => send(["shield"], `${active.name} dropped a shield`) }),
        play.teamwork && others.map((hero) => h("button", { text: `${hero.name}'s meeple is in`, "data-focus": `meeple-${hero.name}`, onclick: () => send([`meeple ${word(hero.name)}`], `${hero.name} placed a meeple`) })),
        h("button", { text: "No room to take", "data-focus": "pass", onclick: () => call("turn", { how: "pass" }) })),
      play.turn.acted && h("p", { class: "note", text: `The ${play.turn.acted} ability was used. If cubes moved, take a new photo.` })),
    h("ol", { class: "stack", "aria-label": "Turn order" }, play.order.map((name) => play.heroes.find((hero) => hero.name === name)).map((hero) => heroCard(game, hero,
      h("div", { class: "row" }, questButton(game, ui, hero, again),
        h("button", { "aria-label": `One damage more for ${hero.name}`, "data-focus": `hurt-${hero.name}`, text: "+1 damage", onclick: () => send([`damage ${word(hero.name)} ${hero.damage + 1}`], `${hero.name} took 1 damage`) }),
        h("button", { "aria-label": `One damage less for ${hero.name}`, "data-focus": `heal-${hero.name}`, disabled: hero.damage === 0, text: "−1", onclick: () => send([`damage ${word(hero.name)} ${hero.damage - 1}`], `${hero.name} healed 1`) }))))),
  ];
}

function counting(game, ui, send, call, again) {
  const { play, stashes, secrets } = game.state, over = play.phase === "over";
  const hidden = play.heroes.filter((hero) => !hero.has_quest);
  return [
    h("h2", { text: over ? "The final score" : "Count the treasure" }),
    play.sheet && sheet(play.sheet),
    hidden.some((hero) => secrets.entered.includes(hero.name)) && h("button", { class: "primary wide", text: "Reveal the quests", "data-focus": "reveal", onclick: () => call("reveal") }),
    h("ul", { class: "stack" }, play.heroes.map((hero) => {
      const photo = stashes[hero.name], differs = photo ? difference(hero.stash, photo.pieces) : null, left = hero.chests - hero.rolls.length;
      return heroCard(game, hero,
        !over && !hero.has_quest && questButton(game, ui, hero, again),
        hero.quest && h("p", { class: "soft", text: `Quest: ${questWords(hero.quest)}` }),
        !over && h("button", { "data-focus": `stash-${hero.name}`, onclick: () => game.shoot("stash", hero.name) }, icon("camera"), photo ? "Photograph the stash again" : "Photograph the stash"),
        differs && (differs.length ? h("div", { class: "note doubt" }, h("p", { text: `The photo shows otherwise: ${differs.join(", ")}.` }), !over && h("button", { text: "The photo is right", "data-focus": `photo-${hero.name}`, onclick: () => call("count", { hero: hero.name }) })) : h("p", { class: "note good", text: "The photo agrees with the record." })),
        left > 0 && h("div", { class: "stack" }, h("p", { text: `Roll ${plural(left, "chest")} and tap what it shows:` }), rolls(photo, hero, (number) => send([`roll ${word(hero.name)} ${number}`], `${hero.name} rolled ${number}`))),
        hero.rolls.length > 0 && h("p", { class: "soft", text: `Rolled: ${hero.rolls.join(", ")}` }));
    })),
    !over && h("button", { class: "primary wide", text: "The score stands", "data-focus": "finish", disabled: !play.sheet, onclick: () => send(["finish"], "the score stands") }),
  ];
}

const rolls = (photo, hero, set) => {
  const seen = (photo?.pieces ?? []).filter((piece) => piece.type === "chest" && piece.shows).map((piece) => piece.shows)[hero.rolls.length];
  return h("div", { class: "row", role: "group", "aria-label": "The die shows" }, [1, 2, 3, 4, 5, 6].map((number) => h("button", { text: number, class: number === seen ? "primary" : null, "data-focus": `roll-${hero.name}-${number}`, onclick: () => set(number) })), seen && h("small", { text: `The photo shows ${seen}.` }));
};

function difference(record, pieces) {
  const counts = new Map();
  const put = (type, size, by) => { const key = `${type} ${size ?? ""}`; counts.set(key, { type, size, by: (counts.get(key)?.by ?? 0) + by }); };
  for (const { type, size, number } of record) put(type, size, -number);
  for (const { type, size } of pieces) if (!["pillar", "meeple", "staircase"].includes(type)) put(type, size, 1);
  return [...counts.values()].filter(({ by }) => by).map(({ type, size, by }) => `${Math.abs(by)} ${size ? { S: "small ", L: "large ", H: "huge " }[size] : ""}${kindOf({ type }).name} ${by > 0 ? "more" : "fewer"}`);
}

export const questWords = (quest) => {
  const value = (gem) => (typeof gem === "object" ? Object.entries(gem).map(([size, points]) => `${points} (${size})`).join("/") : gem);
  const gems = ["gem-clear", "gem-pink", "gem-blue"].filter((gem) => quest[gem] !== undefined).map((gem) => `${kindOf({ type: gem }).name} ${value(quest[gem])}`);
  return [...gems, ...(quest.bonus ?? []).map((bonus) => `${bonus.note || bonus.kind} ${bonus.points}`)].join(", ") || "none";
};

export function sheet({ scores, winner }) {
  const parts = Object.keys(scores[0]?.parts ?? {});
  return h("div", { class: "scroller" }, h("table", {}, h("caption", { text: `${winner} wins` }),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", text: "" }), scores.map((score) => h("th", { scope: "col", class: "number", text: score.name })))),
    h("tbody", {}, parts.map((part) => h("tr", {}, h("th", { scope: "row", text: part }), scores.map((score) => h("td", { class: "number", text: score.parts[part] }))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row", text: "total" }), scores.map((score) => h("td", { class: "number" }, h("strong", { text: score.total })))))));
}

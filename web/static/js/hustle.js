// Dungeon Hustle's page.
import { attempt, get, post } from "./api.js";
import { $, fill, h, icon, plural } from "./dom.js";
import { BoardView } from "./boardview.js";
import { boardLines, cardText, hustleHeroes } from "./hustleheroes.js";
import { cardForm, cardName, colourOf, HEROES, miniCard } from "./cards.js";
import { morePanel } from "./more.js";
import { shell } from "./shell.js";
import { say } from "./speech.js";

const DOUBT = 0.75;
const board = new BoardView($("#view"));
const ui = { selected: null, runs: null, run: 0, monsters: null, card: null, odds: null, fight: { level: 1, strength: 2, shield: 0 } };
const game = shell({ layers: [["map", "Board"], ["photo", "Photo"]], onState, onTab() { ui.selected = null; ui.runs = null; refresh(); }, zoomHandlers: { onTap: (point) => game.state.table && choose(board.nearest(point)) } });
const api = (path) => `/games/${game.id}/${path}`;
const started = () => !["setup", "over"].includes(game.state.play.phase);
const track = () => {
  const { play, track: counted } = game.state;
  return started() ? { spawn_corner: play.spawn_corner, escaped: play.escaped, escape_limit: play.escape_limit, level: play.level } : { spawn_corner: "top-left", escaped: 0, escape_limit: 5, level: 1, ...counted };
};
// The board as the record has it, where one is kept; while correcting, as the photo was read.
const shown = () => (started() && game.tab !== "fix" ? { ...game.state.table, cells: game.state.play.cells } : game.state.table);
const send = (lines, says) => post_("plays", { lines, says, after: game.state.seq });
const doubtful = (cell) => cell.confidence < DOUBT || !cell.colour || !cell.symbol;
const colours = () => [...new Set(game.state.table.cells.map((cell) => cell.colour).filter(Boolean))].sort();
const cellAt = (name) => shown().cells.find((cell) => `${cell.row},${cell.col}` === name);
const nameOf = (place) => (typeof place === "string" ? place : place.join(","));
const post_ = (path, data) => attempt(async () => { try { return await post(api(path), data); } finally { game.live.refresh(); } });

game.onLayer = (name) => { board.layer = name; if (game.state.table) { draw(); game.view.home(board.homeBox()); } };

function onState(state, before) {
  const photo = state.table?.photo.id, fresh = photo && photo !== before?.table?.photo.id;
  $("#empty").hidden = Boolean(photo);
  if (!photo) fill($("#empty"), state.waiting.length ? "waiting" : "none", () => state.waiting.length ? [] : [h("h2", { text: "Photograph the board" }), h("p", { text: "From above, with all four corner tiles in the picture." }), h("button", { class: "primary", onclick: () => game.shoot() }, icon("camera"), "Take a photo")]);
  if (fresh) { ui.selected = null; ui.runs = null; }
  if (state.table && state.seq !== before?.seq) loadMonsters();
  if (state.table) { draw(); if (fresh) game.view.home(board.homeBox()); }
  panel();
}
function refresh() { if (game.state.table) draw(); panel(); }

function draw() {
  board.draw(shown(), game.id, { selected: ui.selected, doubtful, spawn: track().spawn_corner });
  if (game.tab === "runs" && ui.runs?.[ui.run]) board.drawPaths([{ places: ui.runs[ui.run].path }], ui.runs[ui.run].picks);
  else if (game.tab === "monsters" && ui.monsters?.moves) board.drawPaths(ui.monsters.moves.map((move) => ({ places: [move.from, move.to] })), ui.monsters.spawned ? [ui.monsters.spawned] : []);
  else board.drawPaths([]);
}

$("#view").addEventListener("keydown", (event) => {
  const name = event.target.dataset?.spot;
  if (!name || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(name.includes(",") ? name.split(",").map(Number) : name);
  $(`[data-spot="${CSS.escape(name)}"]`)?.focus();
});

async function choose(place) {
  if (place === null) return;
  if (nameOf(place) === "3,3") return game.open("monsters");
  if (game.tab === "fix") { ui.selected = nameOf(place); return refresh(); }
  if (game.tab !== "runs") game.open("runs");
  loadRuns(nameOf(place));
}
async function loadRuns(name) {
  ui.selected = name;
  const answer = await attempt(() => get(api(`runs.json?from=${encodeURIComponent(name)}`)));
  if (!answer || ui.selected !== name) return;
  ui.runs = answer.runs.sort((a, b) => b.picks.length - a.picks.length);
  ui.run = 0;
  refresh();
  if (ui.runs[0]) say(`Best run: ${ui.runs[0].colour}, ${plural(ui.runs[0].picks.length, "card")}.`);
}
async function loadMonsters() {
  const asked = game.state.seq;
  const answer = game.state.table.revealed ? await get(api("monsters.json")).catch((problem) => ({ problem: problem.message })) : null;
  if (asked !== game.state.seq) return;
  ui.monsters = answer;
  refresh();
}

// panels

function panel() {
  const element = $("#panel"), table = game.state.table;
  const key = (name, ...more) => JSON.stringify([name, game.state.seq, table?.photo.id, ...more]);
  if (game.tab === "more") return morePanel(element, game);
  if (game.tab === "heroes") return hustleHeroes(element, game, ui, send, table ? colours() : ["blue", "green", "purple", "red"], panel);
  if (!table) return fill(element, "none", () => h("p", { class: "soft", text: game.state.waiting.length ? "The photo is being read." : "Take a photo to begin." }));
  if (game.tab === "monsters") return fill(element, key("monsters", ui.monsters, ui.card), monsterPanel);
  if (game.tab === "fix") return fill(element, key("fix", ui.selected), fixPanel);
  return fill(element, key("runs", ui.selected, ui.runs, ui.run, ui.odds, ui.fight), runPanel);
}

const problems = () => game.state.table.problems.length > 0 && h("ul", { class: "stack" }, game.state.table.problems.map((each) => h("li", { class: "note doubt", text: each.message })));
const warning = () => {
  const { escaped, escape_limit: limit } = track();
  if (escaped >= limit) return h("p", { class: "note bad", text: "The escape track has ended: the monsters have won." });
  return escaped === limit - 1 && h("p", { class: "note bad", text: "One more escape and the monsters win." });
};

function runPanel() {
  const heroes = shown().cells.filter((cell) => cell.occupant && cell.occupant !== "monster");
  const start = (name, text, who) => h("button", { "data-focus": `from-${name}`, "aria-pressed": ui.selected === name ? "true" : "false", onclick: () => loadRuns(name), text });
  const chosen = ui.runs?.[ui.run];
  return [problems(), warning(), h("h2", { text: ui.runs ? "Best runs" : "Tap a hero" }),
    h("div", { class: "row" }, heroes.map((cell) => start(`${cell.row},${cell.col}`, cell.occupant)), start("entrance", "first turn")),
    ui.runs && h("ul", { class: "roomlist" }, ui.runs.map((run, number) => h("li", {}, h("button", { "aria-pressed": number === ui.run ? "true" : "false", "data-focus": `run-${number}`, onclick() { ui.run = number; refresh(); } },
      h("span", { class: "big", text: run.picks.length, "aria-label": plural(run.picks.length, "card") }),
      h("span", { class: "tally" }, h("strong", { class: "row tight" }, dot(run.colour), run.colour), run.picks.map(([row, col]) => miniCard(cellAt(`${row},${col}`))), h("span", { class: `chip${run.ends_on === "monster" ? " bad" : ""}`, text: { tile: "ends on a card", corner: "ends on a corner", monster: "ends in a fight", hero: "ends beside a hero" }[run.ends_on] })))))),
    chosen && started() && game.state.play.phase === "hustle" && h("button", { class: "primary wide", "data-focus": "run", text: `${game.state.play.turn} takes this run`, onclick: () => send([`hustle colour=${encodeURIComponent(chosen.colour)} path=${chosen.path.map(nameOf).join("/")}`], `${game.state.play.turn} ran ${chosen.colour}`).then((done) => done && game.open("heroes")) }),
    chosen?.ends_on === "monster" && fightBox()];
}
const dot = (colour) => { const box = h("span", { class: "dot", "aria-hidden": "true" }); box.style.background = colourOf(colour); return box; };

function fightBox() {
  const number = (key, label, most) => h("label", {}, h("span", { text: label }), h("select", { "data-focus": `fight-${key}`, onchange(event) { ui.fight = { ...ui.fight, [key]: Number(event.target.value) }; ask(); } }, Array.from({ length: most + 1 }, (_, n) => n).filter((n) => key !== "level" || n > 0).map((n) => h("option", { value: n, selected: ui.fight[key] === n, text: key === "shield" ? (n ? "yes" : "no") : n }))));
  const ask = async () => { ui.odds = await attempt(() => get(api(`odds.json?level=${ui.fight.level}&strength=${ui.fight.strength}&shield=${ui.fight.shield}&dungeon=${track().level}`))); panel(); };
  return h("section", { class: "card stack" }, h("h3", { text: "The odds of this fight" }),
    h("div", { class: "thirds" }, number("level", "Your level", 4), number("strength", "Swords and help", 10), number("shield", "A shield", 1)),
    ui.odds ? h("p", {}, h("strong", { text: `${Math.round(ui.odds.attack * 100)} %` }), " to win by attacking", ui.fight.shield ? [", ", h("strong", { text: `${Math.round(ui.odds.defend * 100)} %` }), " with the shield in reserve"] : "", ".", !ui.odds.exact && h("small", { text: " Reckoned from the mix of cards on the board." })) : h("button", { text: "Reckon", "data-focus": "reckon", onclick: ask }));
}

function monsterPanel() {
  const card = game.state.table.revealed, answer = ui.monsters, where = ([row, col]) => (row === 3 && col === 3 ? "the exit" : `row ${row + 1}, column ${col + 1}`);
  const form = ui.card ?? card ?? { colour: colours()[0], symbol: "sword", attack: false };
  const { escaped, escape_limit: limit } = track();
  return [problems(), warning(),
    h("div", { class: "row spread" }, h("h2", { text: card ? "The turned-up card" : "Turn up a card" }), card && miniCard(card)),
    answer?.problem && h("p", { class: "note doubt", text: answer.problem }),
    answer && !answer.problem && [
      h("ol", { class: "moves" }, answer.explanations.spawned && h("li", { text: answer.explanations.spawned }), answer.explanations.moves.map((move) => h("li", {}, h("strong", { text: `${where(move.from)}: ` }), move.why))),
      !answer.moves.length && !answer.spawned && h("p", { text: "No monster stirs." }),
      h("p", { class: "row" }, h("span", { class: `chip ${answer.escaped > escaped ? "bad" : ""}`, text: `${answer.escaped} of ${limit} escaped` }), answer.monsters_win && h("span", { class: "chip bad", text: "The monsters win" })),
      h("button", { class: "primary wide", "data-focus": "confirm", async onclick() { const said = answer.explanations.moves.map((move) => move.why).join(" "); await post_("monsters"); say(said); } }, icon("yes"), "Move them so"),
    ],
    h("details", { open: !card }, h("summary", { text: card ? "It is another card" : "Enter the card" }), cardForm(form, colours(), (next) => { ui.card = next; panel(); }, "card"),
      h("button", { class: "wide", text: "Use this card", "data-focus": "use-card", onclick() { ui.card = null; post_("fixes", { photo: game.state.table.photo.id, op: "revealed", revealed: form }); } })),
    !started() && tracks()];
}

function tracks() {
  const now = track(), set = (change) => post_("track", change);
  const choice = (key, label, options) => h("label", {}, h("span", { text: label }), h("select", { "data-focus": `track-${key}`, onchange: (event) => set({ [key]: key === "spawn_corner" ? event.target.value : Number(event.target.value) }) }, options.map(([value, text]) => h("option", { value, selected: String(now[key]) === String(value), text }))));
  const count = (least, most) => Array.from({ length: most - least + 1 }, (_, n) => [n + least, n + least]);
  return h("section", { class: "card stack" }, h("h3", { text: "Tracks" }), h("div", { class: "thirds" },
    choice("escaped", "Escaped", count(0, now.escape_limit)), choice("escape_limit", "Ends at", [[5, "5, easy"], [4, "4, normal"], [3, "3, hard"]]), choice("level", "Dungeon level", count(1, 3))),
    choice("spawn_corner", "Monsters appear from", ["top-left", "top-right", "bottom-right", "bottom-left"].map((name) => [name, name.replace("-", " ")])));
}

function fixPanel() {
  const cell = ui.selected ? cellAt(ui.selected) : null, doubts = game.state.table.cells.filter(doubtful);
  if (!cell) return [problems(), h("h2", { text: doubts.length ? `${plural(doubts.length, "card")} I am not sure about` : "Tap a card to correct it" }), doubts.length > 0 && h("button", { class: "primary wide", text: "Check them", "data-focus": "check", onclick() { ui.selected = `${doubts[0].row},${doubts[0].col}`; refresh(); } })];
  const set = (change) => post_("fixes", { photo: game.state.table.photo.id, op: "cell", cell: { ...cell, ...change } });
  const who = [null, "monster", ...Object.keys(HEROES)];
  const next = doubts.find((each) => each !== cell);
  return [h("div", { class: "row spread" }, h("h2", { text: cardName(cell) }), h("button", { class: "quiet", text: "Close", "data-focus": "close", onclick() { ui.selected = null; refresh(); } })),
    doubtful(cell) && h("div", { class: "row" }, h("p", { class: "note doubt", text: "I am not sure. Is it right?" }), h("button", { class: "primary", text: "It is right", "data-focus": "right", async onclick() { await set({}); ui.selected = next ? `${next.row},${next.col}` : null; refresh(); } })),
    cardForm(cell, colours(), (changed) => set({ colour: changed.colour, symbol: changed.symbol, attack: changed.attack }), "cell"),
    h("div", { class: "row", role: "group", "aria-label": "Who stands on it" }, who.map((name) => h("button", { "aria-pressed": cell.occupant === name ? "true" : "false", "data-focus": `who-${name}`, text: name ?? "nobody", onclick: () => set({ occupant: name }) })))];
}

game.open("runs");
game.start();

// Dungeon Hustle's page.
import { attempt, get, post } from "./api.js";
import { $, fill, h, icon, plural } from "./dom.js";
import { BoardView } from "./boardview.js";
import { boardPanels } from "./boardpanels.js";
import { hustleHeroes } from "./hustleheroes.js";
import { hustleLine } from "./hustlenotation.js";
import { cardForm, cardName, colourOf, HEROES, miniCard } from "./cards.js";
import { morePanel } from "./more.js";
import { shell } from "./shell.js";
import { say } from "./speech.js";

const DOUBT = 0.75;
const board = new BoardView($("#view"));
const ui = {
  selected: null,
  runs: null,
  run: 0,
  monsters: null,
  card: null,
  odds: null,
  fight: { level: 1, strength: 2, shield: 0 },
};
const game = shell({
  layers: [
    ["map", "Board"],
    ["photo", "Photo"],
  ],
  onState,
  onTab() {
    ui.selected = null;
    ui.runs = null;
    refresh();
  },
  zoomHandlers: { onTap: (point) => game.state.table && choose(board.nearest(point)) },
});
const api = (path) => `/games/${game.id}/${path}`;
const started = () => !["setup", "over"].includes(game.state.play.phase);
const track = () => {
  const { play, track: counted } = game.state;
  return started()
    ? { spawn_corner: play.spawn_corner, escaped: play.escaped, escape_limit: play.escape_limit, level: play.level }
    : { spawn_corner: "top-left", escaped: 0, escape_limit: 5, level: 1, ...counted };
};
// The board as the record has it, where one is kept; while correcting, as the photo was read.
const shown = () =>
  started() && game.tab !== "fix" ? { ...game.state.table, cells: game.state.play.cells } : game.state.table;
const send = (lines, says) => post_("plays", { lines, says, after: game.state.seq });
const doubtful = (cell) => cell.confidence < DOUBT || !cell.colour || !cell.symbol;
const colours = () => [...new Set(game.state.table.cells.map((cell) => cell.colour).filter(Boolean))].sort();
const cellAt = (name) => shown().cells.find((cell) => `${cell.row},${cell.col}` === name);
const nameOf = (place) => (typeof place === "string" ? place : place.join(","));
const post_ = (path, data) =>
  attempt(async () => {
    try {
      return await post(api(path), data);
    } finally {
      game.live.refresh();
    }
  });

game.onLayer = (name) => {
  board.layer = name;
  if (game.state.table) {
    draw();
    game.view.home(board.homeBox());
  }
};

function onState(state, before) {
  const photo = state.table?.photo.id,
    fresh = photo && photo !== before?.table?.photo.id;
  $("#empty").hidden = Boolean(photo);
  if (!photo)
    fill($("#empty"), state.waiting.length ? "waiting" : "none", () =>
      state.waiting.length
        ? []
        : [
            h("h2", { text: "Photograph the board" }),
            h("p", { text: "From above, with all four corner tiles in the picture." }),
            h("button", { class: "primary", onclick: () => game.shoot() }, icon("camera"), "Take a photo"),
          ],
    );
  if (fresh) {
    ui.selected = null;
    ui.runs = null;
  }
  if (state.table && state.seq !== before?.seq) loadMonsters();
  if (state.table) {
    draw();
    if (fresh) game.view.home(board.homeBox());
  }
  panel();
}
function refresh() {
  if (game.state.table) draw();
  panel();
}

function draw() {
  board.draw(shown(), game.id, { selected: ui.selected, doubtful, spawn: track().spawn_corner });
  if (game.tab === "runs" && ui.runs?.[ui.run])
    board.drawPaths([{ places: ui.runs[ui.run].path }], ui.runs[ui.run].picks);
  else if (game.tab === "monsters" && ui.monsters?.moves)
    board.drawPaths(
      ui.monsters.moves.map((move) => ({ places: [move.from, move.to] })),
      ui.monsters.spawned ? [ui.monsters.spawned] : [],
    );
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
  if (game.tab === "fix") {
    ui.selected = nameOf(place);
    return refresh();
  }
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
  const answer = game.state.table.revealed
    ? await get(api("monsters.json")).catch((problem) => ({ problem: problem.message }))
    : null;
  if (asked !== game.state.seq) return;
  ui.monsters = answer;
  refresh();
}

// panels

function panel() {
  const element = $("#panel"),
    table = game.state.table;
  const key = (name, ...more) => JSON.stringify([name, game.state.seq, table?.photo.id, ...more]);
  if (game.tab === "more") return morePanel(element, game);
  if (game.tab === "heroes")
    return hustleHeroes(element, game, ui, send, table ? colours() : ["blue", "green", "purple", "red"], panel);
  if (!table)
    return fill(element, "none", () =>
      h("p", {
        class: "soft",
        text: game.state.waiting.length ? "The photo is being read." : "Take a photo to begin.",
      }),
    );
  if (game.tab === "monsters") return fill(element, key("monsters", ui.monsters, ui.card), monsterPanel);
  if (game.tab === "fix") return fill(element, key("fix", ui.selected), fixPanel);
  return fill(element, key("runs", ui.selected, ui.runs, ui.run, ui.odds, ui.fight), runPanel);
}

const problems = () =>
  game.state.table.problems.length > 0 &&
  h(
    "ul",
    { class: "stack" },
    game.state.table.problems.map((each) => h("li", { class: "note doubt", text: each.message })),
  );
const warning = () => {
  const { escaped, escape_limit: limit } = track();
  if (escaped >= limit)
    return h("p", { class: "note bad", text: "The escape track has ended: the monsters have won." });
  return escaped === limit - 1 && h("p", { class: "note bad", text: "One more escape and the monsters win." });
};

function runPanel() {
  const heroes = shown().cells.filter((cell) => cell.occupant && cell.occupant !== "monster");
  const start = (name, text) =>
    h("button", {
      "data-focus": `from-${name}`,
      "aria-pressed": ui.selected === name ? "true" : "false",
      onclick: () => loadRuns(name),
      text,
    });
  const chosen = ui.runs?.[ui.run];
  return [
    problems(),
    warning(),
    h("h2", { text: ui.runs ? "Best runs" : "Tap a hero" }),
    h(
      "div",
      { class: "row" },
      heroes.map((cell) => start(`${cell.row},${cell.col}`, cell.occupant)),
      start("entrance", "first turn"),
    ),
    ui.runs &&
      h(
        "ul",
        { class: "roomlist" },
        ui.runs.map((run, number) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                "aria-pressed": number === ui.run ? "true" : "false",
                "data-focus": `run-${number}`,
                onclick() {
                  ui.run = number;
                  refresh();
                },
              },
              h("span", { class: "big", text: run.picks.length, "aria-label": plural(run.picks.length, "card") }),
              h(
                "span",
                { class: "tally" },
                h("strong", { class: "row tight" }, dot(run.colour), run.colour),
                run.picks.map(([row, col]) => miniCard(cellAt(`${row},${col}`))),
                h("span", {
                  class: `chip${run.ends_on === "monster" ? " bad" : ""}`,
                  text: {
                    tile: "ends on a card",
                    corner: "ends on a corner",
                    monster: "ends in a fight",
                    hero: "ends beside a hero",
                  }[run.ends_on],
                }),
                run.by && h("small", { text: powerWords(run) }),
              ),
            ),
          ),
        ),
      ),
    chosen &&
      started() &&
      game.state.play.phase === "hustle" &&
      h("button", {
        class: "primary wide",
        "data-focus": "run",
        text: `${game.state.play.turn} takes this run`,
        onclick: () =>
          send(
            [hustleLine(chosen)],
            `${game.state.play.turn} ran ${chosen.colour}`,
          ).then((done) => done && game.open("heroes")),
      }),
    chosen?.ends_on === "monster" && fightBox(),
  ];
}
const spaceWords = ([row, col]) => `row ${row + 1}, column ${col + 1}`;
const powerWords = ({ recolour, leap, colour, by }) =>
  (recolour ? `${spaceWords(recolour)} counts as ${colour}` : `jumps over ${spaceWords(leap)}`) +
  `, by ${{ reward: "the reward", help: "the help given" }[by] ?? by}`;
const dot = (colour) => {
  const box = h("span", { class: "dot", "aria-hidden": "true" });
  box.style.background = colourOf(colour);
  return box;
};

function fixPanel() {
  const cell = ui.selected ? cellAt(ui.selected) : null,
    doubts = game.state.table.cells.filter(doubtful);
  if (!cell)
    return [
      problems(),
      h("h2", {
        text: doubts.length ? `${plural(doubts.length, "card")} I am not sure about` : "Tap a card to correct it",
      }),
      doubts.length > 0 &&
        h("button", {
          class: "primary wide",
          text: "Check them",
          "data-focus": "check",
          onclick() {
            ui.selected = `${doubts[0].row},${doubts[0].col}`;
            refresh();
          },
        }),
    ];
  const set = (change) =>
    post_("fixes", { photo: game.state.table.photo.id, op: "cell", cell: { ...cell, ...change } });
  const who = [null, "monster", ...Object.keys(HEROES)];
  const next = doubts.find((each) => each !== cell);
  return [
    h(
      "div",
      { class: "row spread" },
      h("h2", { text: cardName(cell) }),
      h("button", {
        class: "quiet",
        text: "Close",
        "data-focus": "close",
        onclick() {
          ui.selected = null;
          refresh();
        },
      }),
    ),
    doubtful(cell) &&
      h(
        "div",
        { class: "row" },
        h("p", { class: "note doubt", text: "I am not sure. Is it right?" }),
        h("button", {
          class: "primary",
          text: "It is right",
          "data-focus": "right",
          async onclick() {
            await set({});
            ui.selected = next ? `${next.row},${next.col}` : null;
            refresh();
          },
        }),
      ),
    cardForm(
      cell,
      colours(),
      (changed) => set({ colour: changed.colour, symbol: changed.symbol, attack: changed.attack }),
      "cell",
    ),
    h(
      "div",
      { class: "row", role: "group", "aria-label": "Who stands on it" },
      who.map((name) =>
        h("button", {
          "aria-pressed": cell.occupant === name ? "true" : "false",
          "data-focus": `who-${name}`,
          text: name ?? "nobody",
          onclick: () => set({ occupant: name }),
        }),
      ),
    ),
  ];
}

const { fightBox, monsterPanel } = boardPanels(game, ui, {
  api,
  post_,
  track,
  colours,
  panel,
  problems,
  warning,
  started,
});

game.open("runs");
game.start();

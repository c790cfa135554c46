// Dungeon Drop's page.
import { attempt, get, post } from "./api.js";
import { $, fill, h, icon, plural, toast } from "./dom.js";
import { roomBands } from "./closeup.js";
import { fixPanel } from "./fixing.js";
import { heroesPanel } from "./heroes.js";
import { morePanel } from "./more.js";
import { shell } from "./shell.js";
import { sidePanels } from "./sides.js";
import { say } from "./speech.js";
import { TableView } from "./tableview.js";
import { verdictPanels } from "./verdict.js";

const DOUBT = 0.75; // a reader less sure than this asks to be checked
const table = new TableView($("#view"));
const ui = {
  chosen: [],
  verdict: null,
  rooms: null,
  picked: null,
  adding: null,
  quest: null,
  joining: false,
  without: new Set(),
};

const game = shell({
  layers: [
    ["map", "Map"],
    ["photo", "Photo"],
  ],
  onState,
  onTab() {
    ui.picked = ui.adding = null;
    draw();
    panel();
  },
  zoomHandlers: { onTap: tapped, onGrab: grabbed, onMove: dragged, onDrop: dropped },
});
const doubtful = (piece) => piece.confidence < DOUBT;
const fixing = () => game.tab === "fix";
const api = (path) => `/games/${game.id}/${path}`;

const { sides, refusedSide, sideButton } = sidePanels(game);
const { active, bestRooms, verdictCard } = verdictPanels(game, ui, {
  sideButton,
  show(pillars) {
    ui.chosen = pillars;
    draw();
    judge(true);
  },
  clear,
  take,
  act,
});

game.onLayer = (name) => {
  table.layer = name;
  if (game.state.table) {
    draw();
    game.view.home(table.homeBox());
  }
};

function onState(state, before) {
  const photo = state.table?.photo.id;
  const fresh = photo && photo !== before?.table?.photo.id;
  $("#empty").hidden = Boolean(photo);
  if (!photo) empty(state);
  if (fresh) {
    ui.chosen = [];
    ui.verdict = null;
    ui.picked = null;
  }
  ui.chosen = ui.chosen.filter((id) => state.table?.pieces.some((piece) => piece.id === id && piece.type === "pillar"));
  draw();
  if (fresh) game.view.home(table.homeBox());
  if (photo && state.table !== before?.table) {
    loadRooms();
    judge(false);
  }
  panel();
}

function empty(state) {
  fill($("#empty"), state.waiting.length ? "waiting" : "none", () =>
    state.waiting.length
      ? []
      : [
          h("h2", { text: "Photograph the table" }),
          h("p", { text: "From above, with all cubes in the picture." }),
          h("button", { class: "primary", onclick: () => game.shoot() }, icon("camera"), "Take a photo"),
          h("a", { class: "button", href: api("teach") }, icon("learn"), "First time? Show it your cubes"),
        ],
  );
}

function draw() {
  const shown = game.state.table;
  if (!shown) return;
  const taken = ui.verdict && !fixing() ? new Set(ui.verdict.collects) : null;
  table.draw(shown, game.id, {
    chosen: fixing() ? (ui.picked ? [ui.picked] : []) : ui.chosen,
    taken,
    active: (piece) => fixing() || piece.type === "pillar",
    doubtful: (piece) => doubtful(piece) || Boolean(taken && ui.verdict.doubtful.includes(piece.id)),
  });
  if (ui.verdict && !fixing())
    table.drawRoom(ui.verdict.hull_mm, roomBands(shown, ui.verdict.pillars), ui.verdict.legal);
  else table.drawRoom(null);
}

// taps

$("#view").addEventListener("keydown", (event) => {
  const id = event.target.dataset?.piece;
  if (!id || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(game.state.table.pieces.find((piece) => piece.id === id));
  $(`[data-piece="${CSS.escape(id)}"]`)?.focus();
});

function tapped(point, unit) {
  if (!game.state.table) return;
  if (fixing() && ui.adding) {
    add(point);
    return;
  }
  const piece = table.nearest(point, unit, (each) => fixing() || each.type === "pillar");
  if (piece) choose(piece);
  else if (fixing()) {
    ui.picked = null;
    draw();
    panel();
  }
}

function choose(piece) {
  if (fixing()) {
    ui.picked = piece.id;
    draw();
    panel();
    return;
  }
  if (game.tab !== "room") game.open("room");
  if (ui.chosen.includes(piece.id)) ui.chosen = ui.chosen.filter((id) => id !== piece.id);
  else ui.chosen = [...(ui.chosen.length === 3 ? [] : ui.chosen), piece.id];
  ui.verdict = null;
  draw();
  panel();
  judge(true);
}

async function judge(aloud) {
  if (ui.chosen.length !== 3) {
    if (ui.verdict) {
      ui.verdict = null;
      draw();
      panel();
    }
    return;
  }
  const asked = ui.chosen.join(",");
  const verdict = await attempt(() => get(api(`rooms/${asked}.json`)));
  if (!verdict || asked !== ui.chosen.join(",")) return;
  ui.verdict = verdict;
  ui.without = new Set();
  draw();
  panel();
  if (aloud) {
    say(verdict.says);
    post(api("spotlight"), { room: asked.split(",") }).catch(() => {});
  }
}

async function loadRooms() {
  ui.rooms = (await attempt(() => get(api("rooms.json")))) ?? null;
  panel();
}

// corrections by finger

function grabbed(point) {
  if (!fixing() || !ui.picked || ui.adding) return null;
  const piece = table.nearest(point, game.view.unit(), (each) => each.id === ui.picked);
  return piece ? { piece, from: point } : null;
}
function dragged({ piece, from }, [x, y]) {
  const [dx, dy] = [x - from[0], y - from[1]];
  const shift = ([a, b]) => (table.layer === "map" ? [a + dx, b - dy] : [a + dx, b + dy]);
  const moved =
    table.layer === "map"
      ? { ...piece, center_mm: shift(piece.center_mm), footprint_mm: piece.footprint_mm.map(shift) }
      : { ...piece, center_px: shift(piece.center_px), outline_px: piece.outline_px.map(shift) };
  game.state = {
    ...game.state,
    table: {
      ...game.state.table,
      pieces: game.state.table.pieces.map((each) => (each.id === piece.id ? moved : each)),
    },
  };
  draw();
}
function dropped({ piece }) {
  const moved = game.state.table.pieces.find((each) => each.id === piece.id);
  fix({ op: "move", piece: piece.id, ...table.asked(table.middle(moved)) });
}
async function add(point) {
  const { type, size, colour } = ui.adding;
  ui.adding = null;
  const done = await fix({ op: "add", type, size, colour, ...table.asked(point) });
  ui.picked = done?.id ?? null;
}
function fix(change) {
  return attempt(async () => {
    try {
      return await post(api("fixes"), { photo: game.state.table.photo.id, ...change });
    } finally {
      game.live.refresh();
    }
  });
}

async function remember(piece) {
  const cubes = [{ type: piece.type, size: piece.size, center_px: piece.center_px }];
  if (await attempt(() => post(api("teach"), { photo: game.state.table.photo.id, cubes, extends: true })))
    toast("Learnt. The next photo will know it.");
}

// the panel

function panel() {
  const element = $("#panel");
  if (game.tab === "fix")
    return fixPanel(element, game, ui, {
      fix,
      doubtful,
      remember,
      redraw() {
        draw();
        panel();
      },
      look,
    });
  if (game.tab === "heroes") return heroesPanel(element, game, ui);
  if (game.tab === "more") return morePanel(element, game);
  return roomPanel(element);
}

function look(piece) {
  const middle = table.middle(piece);
  if (middle) game.view.look(middle, table.layer === "map" ? 70 : game.state.table.photo.width / 6);
}

function roomPanel(element) {
  const shown = game.state.table,
    key = JSON.stringify(["room", shown?.photo.id, ui.chosen, ui.verdict, ui.rooms, game.state.seq]);
  fill(element, key, () => {
    if (!shown)
      return h("p", {
        class: "soft",
        text: game.state.waiting.length ? "The photo is being read." : "Take a photo to begin.",
      });
    const top = [refusedSide(), problems(shown), checks()];
    return ui.verdict ? [top, verdictCard(ui.verdict)] : [top, invitation(), sides(shown), bestRooms()];
  });
}

const problems = (shown) =>
  shown.problems.length > 0 &&
  h(
    "ul",
    { class: "stack" },
    shown.problems.map((each) => h("li", { class: "note doubt", text: each.message })),
  );

const checks = () =>
  game.state.check.length > 0 &&
  h(
    "details",
    { class: "note doubt" },
    h("summary", { text: plural(game.state.check.length, "thing does", "things do") + " not add up" }),
    h(
      "ul",
      { class: "stack" },
      game.state.check.map((each) => h("li", { text: each.message })),
    ),
    h(
      "div",
      { class: "row" },
      h("button", { text: "Correct the table", "data-focus": "correct", onclick: () => game.open("fix") }),
      active() &&
        h("button", { text: "It is right as it lies", "data-focus": "accept", onclick: () => act("accept", {}) }),
    ),
  );

function invitation() {
  const left = 3 - ui.chosen.length;
  return h(
    "div",
    { class: "row spread" },
    h("h2", { text: left === 3 ? "Tap three pillars" : `Tap ${left === 1 ? "one more pillar" : "two more pillars"}` }),
    ui.chosen.length > 0 && h("button", { class: "quiet", text: "Clear", "data-focus": "clear", onclick: clear }),
  );
}

function clear() {
  ui.chosen = [];
  ui.verdict = null;
  draw();
  panel();
}

async function take(room) {
  const who = active().name,
    done = await act("loot", { pillars: room.pillars, without: [...ui.without] });
  if (!done) return;
  clear();
  say(`${who} takes the room.`);
  game.open("heroes");
}

function act(path, data) {
  return attempt(async () => {
    try {
      return await post(api(path), { after: game.state.seq, ...data });
    } finally {
      game.live.refresh();
    }
  });
}

game.open("room");
game.start();

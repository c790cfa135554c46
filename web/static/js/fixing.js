// The panel for corrections: the doubtful first, then whatever is tapped.
import { fill, h, icon, plural } from "./dom.js";
import { KINDS, SIZES, nameOf, swatch } from "./pieces.js";

const SIZES_OF = {
  chest: ["L"],
  potion: ["S"],
  shield: ["L"],
  goblin: ["S"],
  troll: ["L"],
  dragon: ["H"],
  relic: ["S"],
  staircase: ["S"],
  meeple: [null],
};
const sizesOf = (type) => SIZES_OF[type] ?? ["S", "L"];

export function fixPanel(element, game, ui, tools) {
  const table = game.state.table;
  const piece = table?.pieces.find((each) => each.id === ui.picked) ?? null;
  const doubts = (table?.pieces ?? []).filter(tools.doubtful).sort((a, b) => a.confidence - b.confidence);
  fill(
    element,
    JSON.stringify(["fix", table?.photo.id, piece, ui.adding, ui.teach, doubts.map((each) => each.id)]),
    () => {
      if (!table) return h("p", { class: "soft", text: "Take a photo first." });
      if (ui.adding) return adding(ui, tools);
      return piece ? one(game, table, piece, ui, tools, doubts) : overview(doubts, ui, tools);
    },
  );
}

function overview(doubts, ui, tools) {
  return [
    h("h2", {
      text: doubts.length ? `${plural(doubts.length, "piece")} I am not sure about` : "Tap a piece to correct it",
    }),
    doubts.length > 0 &&
      h(
        "button",
        {
          class: "primary wide",
          "data-focus": "check",
          onclick() {
            pick(doubts[0], ui, tools);
          },
        },
        "Check them",
      ),
    h("p", { class: "soft", text: "Tap a piece to change it, then drag it to move it." }),
    h(
      "button",
      {
        class: "wide",
        "data-focus": "add",
        onclick() {
          ui.adding = { type: "gold", size: "S" };
          tools.redraw();
        },
      },
      icon("plus"),
      "Add a piece",
    ),
  ];
}

function pick(piece, ui, tools) {
  ui.picked = piece?.id ?? null;
  tools.redraw();
  if (piece) tools.look(piece);
}

function one(game, table, piece, ui, tools, doubts) {
  const [x, y] = piece.center_mm ?? [0, 0];
  const next = doubts.filter((each) => each.id !== piece.id)[0];
  const set = (change) => tools.fix({ op: "change", piece: piece.id, ...change });
  return [
    h(
      "div",
      { class: "row spread" },
      h("h2", { text: nameOf(piece) }),
      h("button", {
        class: "quiet",
        text: "Close",
        "data-focus": "close",
        onclick() {
          pick(null, ui, tools);
        },
      }),
    ),
    tools.doubtful(piece) &&
      h("p", { class: "note doubt", text: `I am only ${Math.round(piece.confidence * 100)} % sure. Is it right?` }),
    h(
      "div",
      { class: "row" },
      piece.center_mm &&
        h("img", {
          class: "crop",
          alt: "",
          width: 112,
          height: 112,
          src: `/games/${game.id}/photos/${table.photo.id}/closeup.jpg?x=${x}&y=${y}&half=12`,
        }),
      tools.doubtful(piece) &&
        h(
          "button",
          {
            class: "primary",
            "data-focus": "right",
            async onclick() {
              await set({});
              pick(next, ui, tools);
            },
          },
          icon("yes"),
          "It is right",
        ),
      next &&
        h("button", {
          text: "Next",
          "data-focus": "next",
          onclick() {
            pick(next, ui, tools);
          },
        }),
    ),
    kinds(piece.type, (type) =>
      set({ type, size: sizesOf(type).includes(piece.size) ? piece.size : sizesOf(type)[0] }),
    ),
    sizesOf(piece.type).length > 1 && sizes(piece.type, piece.size, (size) => set({ size })),
    piece.confidence === 1 &&
      h(
        "button",
        { class: "wide", "data-focus": "remember", onclick: () => tools.remember(piece) },
        icon("learn"),
        "Remember how this one looks",
      ),
    h(
      "button",
      {
        class: "danger wide",
        "data-focus": "delete",
        onclick() {
          ui.picked = null;
          tools.fix({ op: "delete", piece: piece.id });
        },
      },
      icon("trash"),
      "There is nothing here",
    ),
  ];
}

function adding(ui, tools) {
  const { type, size } = ui.adding;
  return [
    h("h2", { text: "Tap where it lies" }),
    h("p", { class: "soft", text: `A ${nameOf({ type, size })} will be added there.` }),
    kinds(type, (kind) => {
      ui.adding = { type: kind, size: sizesOf(kind)[0] };
      tools.redraw();
    }),
    sizesOf(type).length > 1 &&
      sizes(type, size, (chosen) => {
        ui.adding = { type, size: chosen };
        tools.redraw();
      }),
    h("button", {
      class: "wide",
      text: "Cancel",
      "data-focus": "cancel",
      onclick() {
        ui.adding = null;
        tools.redraw();
      },
    }),
  ];
}

const kinds = (now, set) =>
  h(
    "div",
    { class: "kinds", role: "group", "aria-label": "Kind" },
    Object.entries(KINDS).map(([type, kind]) =>
      h(
        "button",
        { "aria-pressed": type === now ? "true" : "false", "data-focus": `kind-${type}`, onclick: () => set(type) },
        swatch(type),
        h("span", { text: kind.name }),
      ),
    ),
  );

const sizes = (type, now, set) =>
  h(
    "div",
    { class: "row", role: "group", "aria-label": "Size" },
    sizesOf(type).map((size) =>
      h("button", {
        "aria-pressed": size === now ? "true" : "false",
        "data-focus": `size-${size}`,
        text: SIZES[size],
        onclick: () => set(size),
      }),
    ),
  );

// How Dungeon Hustle's cards and standees are drawn: a colour with its letter, a symbol, an attack mark.
import { h, s } from "./dom.js";

const COLOURS = {
  blue: "#2f6fd6",
  green: "#2f9a4c",
  purple: "#9246c2",
  red: "#d03a34",
  yellow: "#e0ac1f",
  orange: "#e2761b",
  black: "#2b2b2e",
  white: "#ececec",
  grey: "#8b9096",
  pink: "#e06a9c",
  brown: "#8a5a2c",
  turquoise: "#1fa3a3",
};
const DARK_INK = new Set(["yellow", "white", "pink", "orange", "turquoise", "grey"]);
const SYMBOLS = {
  potion: "M9 3h6M10 3v6L5.500 17a3 3 0 0 0 2.600 4.500h7.800a3 3 0 0 0 2.600-4.500L14 9V3M7.500 15h9",
  scroll:
    "M6 4h11v13a3 3 0 0 1-3 3H7a3 3 0 0 0 3-3V7a3 3 0 0 0-3-3 2.500 2.500 0 0 0-2.500 2.500V8H10M13 9h1.500M13 13h1.500",
  sword: "M19 4l-9.500 9.500M19 4h-4.500L7 11.500M19 4v4.500L12.500 16M6 11l7 7M9 15.500L4.500 20M3.500 18.500l2 2",
  key: "M8 4.500a4 4 0 1 1-.01 0zM10.500 11.500l8 8M15.500 16.500l2.500-2.500M18.500 19.500l2-2",
  shield: "M12 3l7 2.500v6c0 4.500-3 8-7 9.500-4-1.500-7-5-7-9.500v-6zM12 3v18M5 11h14",
};
export const SYMBOL_NAMES = Object.keys(SYMBOLS);
export const HEROES = { fighter: "F", rogue: "R", cleric: "C", mage: "M", hero: "?" };
const HERO_FILL = { fighter: "#b8322b", rogue: "#33363b", cleric: "#f2efe6", mage: "#3158b8", hero: "#7b8188" };

export const colourOf = (name) =>
  COLOURS[name] ??
  (name ? `hsl(${[...name].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 360, 7)} 55% 45%)` : "#5a6066");
export const inkOf = (name) => (DARK_INK.has(name) ? "#1c1c1c" : "#ffffff");
export const cardName = (card) =>
  `${card.colour ?? "unknown"} ${card.symbol ?? "card"}${card.attack ? " with attack" : ""}`;

export function symbolMark(symbol, x, y, size, stroke) {
  const k = size / 24;
  return s("path", {
    d: SYMBOLS[symbol] ?? "M9 9a3 3 0 1 1 3 3v3M12 19v.5",
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${k})`,
    fill: "none",
    stroke,
    "stroke-width": 1.9,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
}

// A card in a button or a list.
export function miniCard(card) {
  return s(
    "svg",
    { class: "mini", viewBox: "0 0 40 40", role: "img", "aria-label": cardName(card) },
    s("rect", { x: 1, y: 1, width: 38, height: 38, rx: 6, fill: colourOf(card.colour) }),
    symbolMark(card.symbol, 20, 20, 26, inkOf(card.colour)),
    s("text", {
      x: 6,
      y: 12,
      fill: inkOf(card.colour),
      class: "mini-letter",
      text: (card.colour ?? "?")[0].toUpperCase(),
    }),
    card.attack && s("circle", { cx: 33, cy: 7, r: 4.5, fill: "#fff", stroke: "#111", "stroke-width": 2 }),
  );
}

export function standee(who, x, y, size) {
  const monster = who === "monster";
  const shape = monster
    ? s("path", {
        d: `M${x} ${y - size}L${x + size} ${y + size * 0.8}H${x - size}Z`,
        fill: "#111",
        stroke: "#ffcf5c",
        "stroke-width": size * 0.14,
        "stroke-linejoin": "round",
      })
    : s("circle", { cx: x, cy: y, r: size, fill: HERO_FILL[who], stroke: "#fff", "stroke-width": size * 0.16 });
  return s(
    "g",
    { class: "standee" },
    shape,
    s("text", {
      class: "standee-letter",
      x,
      y: y + (monster ? size * 0.25 : 0),
      fill: monster ? "#ffcf5c" : who === "cleric" ? "#1c1c1c" : "#fff",
      vars: { "--side": size * 1.5 },
      text: monster ? "!" : HEROES[who],
    }),
  );
}

// Asks for a card: colour, symbol, attack. Calls back with each change.
export function cardForm(card, colours, set, name) {
  const pick = (key, value, label, inner) =>
    h(
      "button",
      {
        "aria-pressed": card[key] === value ? "true" : "false",
        "data-focus": `${name}-${key}-${value}`,
        "aria-label": label,
        onclick: () => set({ ...card, [key]: value }),
      },
      inner,
    );
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "row", role: "group", "aria-label": "Colour" },
      colours.map((colour) =>
        pick("colour", colour, colour, [
          s(
            "svg",
            { class: "swatch", viewBox: "0 0 24 24", "aria-hidden": "true" },
            s("rect", { width: 24, height: 24, rx: 5, fill: colourOf(colour) }),
          ),
          h("span", { text: colour }),
        ]),
      ),
    ),
    h(
      "div",
      { class: "row", role: "group", "aria-label": "Symbol" },
      SYMBOL_NAMES.map((symbol) =>
        pick("symbol", symbol, symbol, [
          s(
            "svg",
            { class: "swatch", viewBox: "0 0 24 24", "aria-hidden": "true" },
            symbolMark(symbol, 12, 12, 24, "currentColor"),
          ),
          h("span", { text: symbol }),
        ]),
      ),
    ),
    pick("attack", !card.attack, "Attack mark", [
      h("span", { text: card.attack ? "It has the attack mark" : "No attack mark" }),
    ]),
  );
}

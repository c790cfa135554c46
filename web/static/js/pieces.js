// How each kind of piece is drawn and called: a colour, and a letter for those who cannot tell the colours apart.
import { s } from "./dom.js";

export const KINDS = {
  gold: { name: "gold", letter: "G", fill: "#e9b824", ink: "#2b1f00" },
  key: { name: "key", letter: "K", fill: "#ef6a2e", ink: "#1f0a00" },
  chest: { name: "chest", letter: "C", fill: "#8e1b1b", ink: "#ffdf8a" },
  "gem-clear": { name: "clear gem", letter: "◇", fill: "#e6f0f3", ink: "#16323c" },
  "gem-pink": { name: "pink gem", letter: "◆", fill: "#ec5b8f", ink: "#33000f" },
  "gem-blue": { name: "blue gem", letter: "◈", fill: "#2f52c9", ink: "#ffffff" },
  potion: { name: "potion", letter: "P", fill: "#a564d8", ink: "#1c0030" },
  shield: { name: "shield", letter: "S", fill: "#9ad7f0", ink: "#03283a" },
  relic: { name: "relic", letter: "R", fill: "#23c08c", ink: "#00261a" },
  goblin: { name: "goblin", letter: "g", fill: "#4cb255", ink: "#03240a" },
  troll: { name: "troll", letter: "T", fill: "#b7b134", ink: "#262400" },
  dragon: { name: "dragon", letter: "D", fill: "#cf2037", ink: "#ffffff" },
  pillar: { name: "pillar", letter: "I", fill: "#c3c8cd", ink: "#1d2226" },
  staircase: { name: "staircase", letter: "≡", fill: "#26292d", ink: "#f3f3f3" },
  meeple: { name: "meeple", letter: "M", fill: "#f5f5f5", ink: "#222222" },
};
export const SIZES = { S: "small", L: "large", H: "huge" };
export const MONSTERS = new Set(["goblin", "troll", "dragon"]);

export const kindOf = (piece) => KINDS[piece.type] ?? KINDS.gold;
export const nameOf = (piece) =>
  `${piece.size ? `${SIZES[piece.size]} ` : ""}${piece.colour ? `${piece.colour} ` : ""}${kindOf(piece).name}`;

export function swatch(type) {
  const kind = KINDS[type];
  return s(
    "svg",
    { class: "swatch", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 4, fill: kind.fill, stroke: "#111", "stroke-width": 1 }),
    s("text", { x: 12, y: 12.5, fill: kind.ink, text: kind.letter }),
  );
}

export const points = (outline) => outline.map(([x, y]) => `${x},${y}`).join(" ");

export function hull(all) {
  const sorted = [...all].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && cross(out.at(-2), out.at(-1), p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

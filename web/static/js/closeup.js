// A disputed cube: the photo straightened, the line in its true thickness, the gap in millimetres.
import { h, s } from "./dom.js";
import { hull, nameOf, points } from "./pieces.js";

const flip = ([x, y]) => [x, -y];
const WORDS = { inside: ["Inside", "good"], outside: ["Outside", "bad"], "too-close": ["Too close to call", "doubt"] };

export function closeup(gameId, table, room, call) {
  const piece = table.pieces.find((each) => each.id === call.id);
  if (!piece?.center_mm) return null;
  const half = 15,
    [x, y] = flip(piece.center_mm),
    [from, to] = [flip(call.from_mm), flip(call.to_mm)];
  const pillars = room.pillars.map((id) => table.pieces.find((each) => each.id === id)).filter(Boolean);
  const source = `/games/${gameId}/photos/${table.photo.id}/closeup.jpg?x=${piece.center_mm[0]}&y=${piece.center_mm[1]}&half=${half}`;
  const bands = pairs(pillars).map(([a, b]) => hull([...a.footprint_mm, ...b.footprint_mm]).map(flip));
  const [word, tone] = WORDS[call.side];
  const label = `${word}: ${nameOf(piece)}, ${Math.abs(call.gap_mm).toFixed(1)} millimetres ${call.gap_mm <= 0 ? "over" : "short of"} the line`;
  const away = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [nx, ny] = [-(to[1] - from[1]) / away, (to[0] - from[0]) / away];
  const figure = s(
    "svg",
    { viewBox: `${x - half} ${y - half} ${2 * half} ${2 * half}`, role: "img", "aria-label": label },
    s("image", {
      href: source,
      x: x - half,
      y: y - half,
      width: 2 * half,
      height: 2 * half,
      preserveAspectRatio: "none",
    }),
    bands.map((band) => s("polygon", { class: "thick", points: points(band) })),
    s("polygon", { class: "edge", points: points(room.hull_mm.map(flip)) }),
    pillars.map((pillar) => s("polygon", { class: "pillar", points: points(pillar.footprint_mm.map(flip)) })),
    s("polygon", { class: "cube", points: points(piece.footprint_mm.map(flip)) }),
    s("line", { class: "gap", x1: from[0], y1: from[1], x2: to[0], y2: to[1] }),
    [from, to].map((p) => s("circle", { class: "gap-end", cx: p[0], cy: p[1], r: 0.35 })),
    s("text", {
      x: (from[0] + to[0]) / 2 + nx * 4.5,
      y: (from[1] + to[1]) / 2 + ny * 4.5,
      text: `${Math.abs(call.gap_mm).toFixed(1)} mm`,
    }),
    s("line", { class: "scale", x1: x - half + 2, x2: x - half + 7, y1: y + half - 2, y2: y + half - 2 }),
    s("text", { x: x - half + 4.5, y: y + half - 3, text: "5 mm" }),
  );
  return h(
    "figure",
    { class: "closeup card", "data-side": call.side },
    h(
      "figcaption",
      { class: "row spread" },
      h("strong", { text: nameOf(piece) }),
      h("span", { class: `chip ${tone}`, text: word }),
    ),
    figure,
    h("p", { class: "soft", text: call.says }),
  );
}

const pairs = ([a, b, c]) =>
  [
    [a, b],
    [a, c],
    [b, c],
  ].filter(([p, q]) => p && q);
export const roomBands = (table, ids) => {
  const found = ids.map((id) => table.pieces.find((each) => each.id === id)).filter((p) => p?.footprint_mm);
  return pairs(found).map(([a, b]) => hull([...a.footprint_mm, ...b.footprint_mm]));
};

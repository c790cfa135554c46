// The table as SVG: a clean map in millimetres, or the photo with outlines in pixels. Both answer to the same taps.
import { s } from "./dom.js";
import { KINDS, kindOf, nameOf, points } from "./pieces.js";

const flip = ([x, y]) => [x, -y];

export function through(matrix, [x, y]) {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2]);
  return [a / c, b / c];
}

export class TableView {
  constructor(svg) {
    this.svg = svg;
    this.layer = "map";
    this.photo = s("image", { preserveAspectRatio: "none" });
    this.below = s("g");
    this.rooms = s("g");
    this.pieces = s("g");
    svg.replaceChildren(this.photo, this.below, this.rooms, this.pieces);
  }

  // Where a piece's middle is drawn, and its shape, in the layer shown.
  middle(piece) {
    return this.layer === "map" ? (piece.center_mm ? flip(piece.center_mm) : null) : (piece.center_px ?? null);
  }
  outline(piece) {
    return this.layer === "map" ? (piece.footprint_mm ?? []).map(flip) : (piece.outline_px ?? []);
  }
  place(mm) {
    return this.layer === "map" ? flip(mm) : this.table.px_from_mm ? through(this.table.px_from_mm, mm) : null;
  }

  homeBox() {
    if (this.layer === "photo") return [0, 0, this.table.photo.width, this.table.photo.height];
    const all = this.table.pieces.flatMap((piece) => this.outline(piece));
    if (!all.length) return [-100, -100, 200, 200];
    const xs = all.map((p) => p[0]),
      ys = all.map((p) => p[1]),
      edge = 14;
    const [x, y] = [Math.min(...xs) - edge, Math.min(...ys) - edge];
    return [x, y, Math.max(...xs) + edge - x, Math.max(...ys) + edge - y];
  }

  // look: { chosen, taken, active(piece), doubtful(piece) }
  draw(table, gameId, look) {
    this.table = table;
    const photo = this.layer === "photo";
    this.photo.setAttribute("visibility", photo ? "visible" : "hidden");
    if (photo) {
      this.photo.setAttribute("href", `/games/${gameId}/photos/${table.photo.id}.jpg`);
      this.photo.setAttribute("width", table.photo.width);
      this.photo.setAttribute("height", table.photo.height);
    }
    const ordered = [...table.pieces].sort((a, b) => (a.type === "pillar") - (b.type === "pillar"));
    this.pieces.replaceChildren(...ordered.flatMap((piece) => this.piece(piece, look)));
  }

  piece(piece, look) {
    const middle = this.middle(piece),
      outline = this.outline(piece);
    if (!middle) return [];
    const kind = kindOf(piece),
      faded = look.taken && !look.taken.has(piece.id) && !look.chosen.includes(piece.id);
    const marks = `${look.doubtful(piece) ? " doubtful" : ""}${faded ? " faded" : ""}${look.taken?.has(piece.id) ? " taken" : ""}`;
    const side = Math.sqrt(area(outline)) || 10,
      out = [];
    if (this.layer === "map") {
      const fill = piece.type === "meeple" && CSS.supports("color", piece.colour ?? "") ? piece.colour : kind.fill;
      out.push(s("polygon", { class: `piece${marks}`, points: points(outline), fill }));
      out.push(
        s("text", {
          class: `glyph${faded ? " faded" : ""}`,
          x: middle[0],
          y: middle[1],
          fill: kind.ink,
          vars: { "--side": side.toFixed(2) },
          text: kind.letter,
        }),
      );
    } else if (!faded) {
      out.push(
        s("polygon", {
          class: `outline${marks}`,
          points: points(outline),
          stroke: piece.type === "gem-clear" ? "#ffffff" : kind.fill,
        }),
      );
      out.push(s("text", { class: "tag", x: middle[0], y: middle[1], text: kind.letter }));
    }
    const active = look.active(piece),
      chosen = look.chosen.includes(piece.id);
    if (active) {
      out.push(
        s("circle", {
          class: "hit",
          cx: middle[0],
          cy: middle[1],
          r: side * 0.9,
          tabindex: 0,
          role: "button",
          "data-piece": piece.id,
          "aria-label": `${nameOf(piece)}${look.doubtful(piece) ? ", not sure" : ""}`,
          "aria-pressed": chosen ? "true" : "false",
        }),
      );
      out.push(s("circle", { class: `ring${chosen ? " chosen" : ""}`, cx: middle[0], cy: middle[1], r: side * 0.95 }));
    }
    return out;
  }

  // bands: each pair of pillars' own hull, which is the line in its true thickness
  drawRoom(hull, bands, legal) {
    const shape = (outline, name) => {
      const placed = outline.map((p) => this.place(p));
      return placed.some((p) => p === null) ? null : s("polygon", { class: name, points: points(placed) });
    };
    const shapes = hull
      ? [...bands.map((band) => shape(band, "room line")), shape(hull, `room${legal ? "" : " illegal"}`)]
      : [];
    this.rooms.replaceChildren(...shapes.filter(Boolean));
  }

  // The piece nearest to a tap, within a finger's width.
  nearest([x, y], unit, allowed) {
    let best = null,
      least = Infinity;
    for (const piece of this.table?.pieces ?? []) {
      const middle = allowed(piece) ? this.middle(piece) : null;
      if (!middle) continue;
      const away = Math.hypot(middle[0] - x, middle[1] - y);
      if (away < least) [best, least] = [piece, away];
    }
    return best && least <= Math.max(26 * unit, Math.sqrt(area(this.outline(best))) * 0.8) ? best : null;
  }

  // A tapped point as the server understands it.
  asked([x, y]) {
    return this.layer === "map" ? { center_mm: [x, -y] } : { center_px: [x, y] };
  }
}

function area(outline) {
  let sum = 0;
  for (let i = 0; i < outline.length; i++) {
    const [a, b] = [outline[i], outline[(i + 1) % outline.length]];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return Math.abs(sum) / 2;
}

export { KINDS };

// The board as SVG: drawn cards, or the photo with the same marks laid over it. Positions are [column, row] from 0 to 7.
import { s } from "./dom.js";
import { cardName, colourOf, inkOf, standee, symbolMark } from "./cards.js";
import { through } from "./tableview.js";

const UNIT = 100;
export const CORNER_AT = {
  "top-left": [0.75, 0.75],
  "top-right": [6.25, 0.75],
  "bottom-right": [6.25, 6.25],
  "bottom-left": [0.75, 6.25],
};
const TILES = {
  "top-left": [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ],
  "top-right": [
    [5, 0],
    [7, 0],
    [7, 2],
    [6, 2],
    [6, 1],
    [5, 1],
  ],
  "bottom-right": [
    [7, 7],
    [5, 7],
    [5, 6],
    [6, 6],
    [6, 5],
    [7, 5],
  ],
  "bottom-left": [
    [0, 7],
    [0, 5],
    [1, 5],
    [1, 6],
    [2, 6],
    [2, 7],
  ],
};

export class BoardView {
  constructor(svg) {
    this.layer = "map";
    this.photo = s("image", { preserveAspectRatio: "none" });
    this.cards = s("g");
    this.paths = s("g");
    this.hits = s("g");
    svg.replaceChildren(this.photo, this.cards, this.paths, this.hits);
  }
  at([x, y]) {
    return this.layer === "map" ? [x * UNIT, y * UNIT] : through(this.table.px_from_board, [x, y]);
  }
  spot(place) {
    return typeof place === "string" ? this.at(CORNER_AT[place]) : this.at([place[1] + 0.5, place[0] + 0.5]);
  }
  homeBox() {
    return this.layer === "map"
      ? [-20, -20, 7 * UNIT + 40, 7 * UNIT + 40]
      : [0, 0, this.table.photo.width, this.table.photo.height];
  }
  size() {
    const [a, b] = [this.at([3, 3]), this.at([4, 3])];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  // look: { selected, doubtful(cell), spawn }
  draw(table, gameId, look) {
    this.table = table;
    const photo = this.layer === "photo";
    this.photo.setAttribute("visibility", photo ? "visible" : "hidden");
    if (photo)
      for (const [name, value] of Object.entries({
        href: `/games/${gameId}/photos/${table.photo.id}.jpg`,
        width: table.photo.width,
        height: table.photo.height,
      }))
        this.photo.setAttribute(name, value);
    this.cards.replaceChildren(
      ...(photo
        ? []
        : Object.entries(TILES).map(([name, shape]) =>
            s("polygon", {
              class: `tile${look.spawn === name ? " spawn" : ""}`,
              points: shape.map((p) => this.at(p).join(",")).join(" "),
            }),
          )),
      ...(look.spawn ? [this.spawnMark(look.spawn)] : []),
      ...table.cells.flatMap((cell) => this.cell(cell, photo, look)),
      ...this.deck(table, photo),
    );
    this.hits.replaceChildren(
      ...table.cells.flatMap((cell) => this.hit([cell.row, cell.col], look, this.label(cell))),
      ...Object.keys(CORNER_AT).flatMap((name) => this.hit(name, look, `${name} corner`)),
    );
  }
  label(cell) {
    return `row ${cell.row + 1}, column ${cell.col + 1}: ${cardName(cell)}${cell.occupant ? `, ${cell.occupant} on it` : ""}${cell.also ? " and a monster" : ""}`;
  }
  spawnMark(name) {
    const [x, y] = this.spot(name),
      size = this.size();
    return s("g", {}, s("title", { text: "Monsters appear from here" }), standee("monster", x, y, size * 0.22));
  }

  cell(cell, photo, look) {
    const [x, y] = this.spot([cell.row, cell.col]),
      size = this.size(),
      out = [];
    if (!photo) {
      const half = size * 0.47;
      out.push(
        s("rect", {
          class: `card-face${look.doubtful(cell) ? " doubtful" : ""}`,
          x: x - half,
          y: y - half,
          width: 2 * half,
          height: 2 * half,
          rx: 8,
          fill: colourOf(cell.colour),
        }),
      );
      out.push(symbolMark(cell.symbol, x, y, size * (cell.occupant ? 0.4 : 0.56), inkOf(cell.colour)));
      out.push(
        s("text", {
          class: "card-letter",
          x: x - half + 12,
          y: y - half + 15,
          fill: inkOf(cell.colour),
          text: (cell.colour ?? "?")[0].toUpperCase(),
        }),
      );
      if (cell.attack)
        out.push(
          s("circle", { cx: x + half - 13, cy: y - half + 13, r: 7, fill: "#fff", stroke: "#111", "stroke-width": 3 }),
        );
    } else if (look.doubtful(cell)) {
      const ring = [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]
        .map(([dx, dy]) => this.at([cell.col + dx, cell.row + dy]).join(","))
        .join(" ");
      out.push(s("polygon", { class: "outline doubtful", points: ring, stroke: "#ffd45e" }));
    }
    if (cell.occupant) out.push(standee(cell.occupant, x + (cell.also ? -size * 0.16 : 0), y, size * 0.25));
    if (cell.also) out.push(standee("monster", x + size * 0.2, y + size * 0.06, size * 0.2));
    return out;
  }
  deck(table, photo) {
    if (photo) return [];
    const [x, y] = this.spot([3, 3]),
      half = UNIT * 0.47,
      card = table.revealed;
    return [
      s("rect", {
        x: x - half,
        y: y - half,
        width: 2 * half,
        height: 2 * half,
        rx: 8,
        fill: card ? colourOf(card.colour) : "#3a2d22",
        stroke: "#ffcf5c",
        "stroke-width": 4,
      }),
      ...(card
        ? [symbolMark(card.symbol, x, y, UNIT * 0.5, inkOf(card.colour))]
        : [s("text", { class: "tag", x, y, text: "deck" })]),
    ];
  }
  hit(place, look, label) {
    const [x, y] = this.spot(place),
      size = this.size(),
      name = typeof place === "string" ? place : place.join(","),
      chosen = look.selected === name;
    return [
      s("circle", {
        class: "hit",
        cx: x,
        cy: y,
        r: size * 0.45,
        tabindex: 0,
        role: "button",
        "data-spot": name,
        "aria-label": label,
        "aria-pressed": chosen ? "true" : "false",
      }),
      s("circle", { class: `ring${chosen ? " chosen" : ""}`, cx: x, cy: y, r: size * 0.48 }),
    ];
  }
  nearest([x, y]) {
    let best = null,
      least = Infinity;
    for (const place of [...this.table.cells.map((cell) => [cell.row, cell.col]), ...Object.keys(CORNER_AT), [3, 3]]) {
      const [a, b] = this.spot(place),
        away = Math.hypot(a - x, b - y);
      if (away < least) [best, least] = [place, away];
    }
    return least < this.size() * 0.6 ? best : null;
  }
  // lines: [{ places, colour, arrow }], picks: places
  drawPaths(lines, picks = []) {
    const size = this.size();
    this.paths.replaceChildren(
      s(
        "defs",
        {},
        s(
          "marker",
          {
            id: "head",
            viewBox: "0 0 10 10",
            refX: 7,
            refY: 5,
            markerWidth: 3.2,
            markerHeight: 3.2,
            orient: "auto-start-reverse",
          },
          s("path", { d: "M0 0L10 5L0 10z", fill: "#fff", stroke: "#111", "stroke-width": 1 }),
        ),
      ),
      ...picks.map((place) => {
        const [x, y] = this.spot(place);
        return s("circle", { class: "picked", cx: x, cy: y, r: size * 0.42 });
      }),
      ...lines.flatMap(({ places, from }) => {
        const points = places.map((place) => (place === "entrance" ? from : this.spot(place)).join(",")).join(" ");
        return [
          s("polyline", { class: "path under", points }),
          s("polyline", { class: "path", points, "marker-end": "url(#head)" }),
        ];
      }),
    );
  }
}

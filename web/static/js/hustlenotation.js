// Dungeon Hustle's events as text, for what the page records.
export const word = (text) => encodeURIComponent(text).replaceAll("'", "%27");
export const cardText = (card) =>
  `${card.colour ? word(card.colour) : "?"}-${card.symbol ?? "?"}${card.attack ? "!" : ""}`;
export const cards = (list) => list.map(cardText).join("/");
const inOrder = (cells) => [...cells].sort((a, b) => a.row - b.row || a.col - b.col);

// The board as the photo shows it, as events that put the record right.
export function boardLines(table, heroes) {
  const monsters = table.cells
    .filter((cell) => cell.occupant === "monster" || cell.also === "monster")
    .map((cell) => `${cell.row},${cell.col}`);
  const stands = heroes.flatMap(({ hero, player }) =>
    table.cells
      .filter((cell) => cell.occupant === hero)
      .slice(0, 1)
      .map((cell) => `stand hero=${word(player)} at=${cell.row},${cell.col}`),
  );
  return [`board cards=${cards(inOrder(table.cells))}`, `monsters at=${monsters.join("/")}`, ...stands];
}

// A run, with the power that it takes where it takes one.
export function hustleLine({ colour, path, recolour, leap, by }) {
  const places = path.map((place) => (Array.isArray(place) ? place.join(",") : place)).join("/");
  const power = by ? ` ${recolour ? `recolour=${recolour.join(",")}` : `leap=${leap.join(",")}`} by=${word(by)}` : "";
  return `hustle colour=${word(colour)} path=${places}${power}`;
}

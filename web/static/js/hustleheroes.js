// Dungeon Hustle's heroes: who plays, whose turn it is, and each phase of a turn with the few taps that it needs.
import { fill, h, icon, plural } from "./dom.js";
import { cardForm, HEROES, miniCard } from "./cards.js";

const CORNERS = ["top-left", "top-right", "bottom-right", "bottom-left"];
const word = (text) => encodeURIComponent(text).replaceAll("'", "%27");
export const cardText = (card) => `${card.colour ? word(card.colour) : "?"}-${card.symbol ?? "?"}${card.attack ? "!" : ""}`;
const cards = (list) => list.map(cardText).join("/");
const inOrder = (cells) => [...cells].sort((a, b) => a.row - b.row || a.col - b.col);

// The board as the photo shows it, as events that put the record right.
export function boardLines(table, heroes) {
  const monsters = table.cells.filter((cell) => cell.occupant === "monster" || cell.also === "monster").map((cell) => `${cell.row},${cell.col}`);
  const stands = heroes.flatMap(({ hero, player }) => table.cells.filter((cell) => cell.occupant === hero).slice(0, 1).map((cell) => `stand hero=${word(player)} at=${cell.row},${cell.col}`));
  return [`board cards=${cards(inOrder(table.cells))}`, `monsters at=${monsters.join("/")}`, ...stands];
}

export function hustleHeroes(element, game, ui, send, colours, again) {
  const { play, table } = game.state;
  fill(element, JSON.stringify(["heroes", play, ui.joining, ui.pay, ui.drawn, ui.entering, ui.item, table?.photo.id, table?.revealed]), () => {
    if (play.phase === "setup") return setup(game, ui, send, again);
    const here = play.heroes.find((hero) => hero.player === play.turn);
    return [play.phase === "over" ? h("h2", { text: play.monsters_win ? "The monsters have won" : "The game is over" }) : phasePanel(game, ui, send, colours, again, here), sheet(play.score), heroCards(game, ui, send, colours, again)];
  });
}

function setup(game, ui, send, again) {
  const { heroes } = game.state.play, free = Object.keys(HEROES).filter((who) => who !== "hero" && !heroes.some((hero) => hero.hero === who));
  const corner = (label, name, chosen) => h("label", {}, h("span", { text: label }), h("select", { name }, CORNERS.map((value) => h("option", { value, text: value.replace("-", " "), selected: value === chosen }))));
  return [
    h("h2", { text: heroes.length ? "Heroes at the table" : "Who plays?" }),
    h("ul", { class: "stack" }, heroes.map((hero) => h("li", { class: "card row spread" }, h("strong", { text: hero.player }), h("span", { class: "chip", text: hero.hero })))),
    free.length > 0 && h("form", { class: "card stack", onsubmit(event) {
      event.preventDefault();
      const data = Object.fromEntries(new FormData(event.target)), list = (text) => text.split(/[^0-9]+/).filter(Boolean).join("/");
      const extra = [["level_gold", list(data.level_gold)], ["hand_sizes", list(data.hand_sizes)]].filter(([, value]) => value).map(([key, value]) => ` ${key}=${value}`).join("");
      send([`player name=${word(data.name.trim())} hero=${data.hero}${extra}`], `${data.name.trim()} joined`);
    } },
    h("div", { class: "thirds" }, h("label", {}, h("span", { text: "Name" }), h("input", { type: "text", name: "name", required: true, maxlength: 40, autocomplete: "off" })), h("label", {}, h("span", { text: "Hero" }), h("select", { name: "hero" }, free.map((who) => h("option", { value: who, text: who }))))),
    h("details", {}, h("summary", { text: "From the character card" }), h("div", { class: "thirds" }, h("label", {}, h("span", { text: "Gold for levels 2, 3, 4" }), h("input", { type: "text", name: "level_gold", inputmode: "numeric" })), h("label", {}, h("span", { text: "Hand sizes, levels 1 to 4" }), h("input", { type: "text", name: "hand_sizes", inputmode: "numeric" })))),
    h("button", { class: "primary wide", text: "Join" })),
    heroes.length > 1 && (game.state.table ? h("form", { class: "card stack", onsubmit(event) {
      event.preventDefault();
      const data = Object.fromEntries(new FormData(event.target)), lines = boardLines(game.state.table, heroes);
      send([`layout trove=${data.trove} stairs=${data.stairs}`, `difficulty level=${data.level}`, lines[0], `start first=${word(data.first)}`, ...lines.slice(1)], "the game began");
    } },
    h("h3", { text: "The board" }), h("div", { class: "thirds" }, corner("Treasure Trove", "trove", "top-left"), corner("Stairs", "stairs", "bottom-right"),
      h("label", {}, h("span", { text: "Difficulty" }), h("select", { name: "level" }, ["easy", "normal", "hard"].map((value) => h("option", { value, text: value })))),
      h("label", {}, h("span", { text: "Begins" }), h("select", { name: "first" }, heroes.map((hero) => h("option", { value: hero.player, text: hero.player }))))),
    h("button", { class: "primary wide", text: "Start the game" })) : h("p", { class: "note", text: "Photograph the board, then the game can start." })),
  ];
}

const pickable = (hand, chosen, toggle) => h("div", { class: "row", role: "group", "aria-label": "Cards" }, hand.map((card, number) => h("button", { class: "cardbutton", "aria-pressed": chosen.includes(number) ? "true" : "false", "data-focus": `card-${number}`, onclick: () => toggle(number) }, miniCard(card))));

function phasePanel(game, ui, send, colours, again, here) {
  const { play, table } = game.state, who = here.player;
  const chosen = ui.pay ?? [], hand = here.hand, paid = chosen.map((number) => hand[number]).filter(Boolean);
  const toggle = (number) => { ui.pay = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number]; again(); };
  const act = (lines, says) => { ui.pay = []; ui.drawn = []; return send(lines, says); };
  const button = (text, lines, says, extra = {}) => h("button", { "data-focus": text, text, onclick: () => act(lines, says), ...extra });
  const title = (text) => h("h2", { text: `${who}: ${text}` });
  const phases = {
    hustle: () => [title("hustle"), h("p", { text: `Choose ${who}'s run under Runs and take it.` })],
    replace: () => [title("new cards"), h("p", { text: `Cover the ${plural(play.to_replace.length, "empty space")}, then take a photo.` }),
      table && button("The photo shows the new cards", [`replace cards=${cards(play.to_replace.map(([row, col]) => table.cells.find((cell) => cell.row === row && cell.col === col)))}`], "new cards laid", { class: "primary wide" })],
    attacks: () => [title(plural(play.attacks, "wandering monster")), h("p", { text: "Tap a shield to defend, or the card that was lost." }),
      pickable(hand, [], (number) => act([`${hand[number].symbol === "shield" ? "defend" : "lose"} card=${cardText(hand[number])}`], hand[number].symbol === "shield" ? `${who} defended` : `${who} lost a card`)),
      h("div", { class: "row" }, hand.filter((card) => card.symbol === "shield").slice(0, 1).map((card) => button("A shield was lost, not used", [`lose card=${cardText(card)}`], `${who} lost a card`)))],
    combat: () => fight(play, ui, act, colours, again, here, chosen, paid, toggle),
    quest: () => [title("quest, then the monsters"),
      typeof here.spot === "string" && here.can_pay.quests.includes(here.spot) && [h("p", { class: "note good", text: "The quest here can be paid. Tap the cards to give up." }), pickable(hand, chosen, toggle), button("Complete the quest", [`complete pay=${cards(paid)}`], `${who} completed a quest`, { class: "primary" })],
      h("p", { text: "Turn up the next card and take a photo, or enter it under Monsters." })],
    rest: () => [title("rest"), h("p", { class: "soft", text: `Tap cards to pay with or to give up${here.hand_size ? `; ${here.hand_size} may stay` : ""}.` }), pickable(hand, chosen, toggle),
      h("div", { class: "row" }, paid.length > 0 && button("Discard these", [`discard cards=${cards(paid)}`], `${who} discarded`), paid.length === 1 && button("Charge the helping power", [`charge card=${cardText(paid[0])}`], `${who} charged help`),
        here.items.filter((item) => !item.charged).map((item) => button(`Recharge ${item.name}`, [`recharge item=${word(item.name)} pay=${cards(paid)}`], `${item.name} recharged`)), button("End the turn", ["end"], `${who}'s turn ended`, { class: "primary" })),
      here.can_pay.keys > 0 && h("details", {}, h("summary", { text: "Buy an item" }), h("form", { class: "stack", onsubmit(event) { event.preventDefault(); const data = Object.fromEntries(new FormData(event.target)); act([`buy item=${word(data.item.trim())} tier=${data.tier} pay=${cards(paid)}${Number(data.points) ? ` points=${Number(data.points)}` : ""}`], `${who} bought ${data.item.trim()}`); } },
        h("div", { class: "thirds" }, h("label", {}, h("span", { text: "Item" }), h("input", { type: "text", name: "item", required: true, maxlength: 40 })), h("label", {}, h("span", { text: "Kind" }), h("select", { name: "tier" }, ["trinket", "treasure", "artifact"].map((tier) => h("option", { value: tier, text: tier })))), h("label", {}, h("span", { text: "Points" }), h("input", { type: "number", name: "points", min: 0, max: 50, value: 0 }))),
        h("button", { text: "Buy with the chosen keys" })))],
  };
  const stays = table && h("button", { class: "quiet wide", "data-focus": "sync", text: "Take the board as the photo shows it", onclick: () => act(boardLines(table, play.heroes), "board taken from the photo") });
  return h("section", { class: "card stack" }, phases[play.phase]?.(), h("div", { class: "row" }, play.heroes.filter((hero) => hero.player !== who && hero.helping.charged).map((hero) => button(`${hero.player} helps`, [`help player=${word(hero.player)}`], `${hero.player} helped`))), stays);
}

function fight(play, ui, act, colours, again, here, chosen, paid, toggle) {
  const drawn = ui.drawn ?? [], entering = ui.entering ?? { colour: colours[0], symbol: "sword", attack: false };
  if (play.fight.power === null) {
    return [h("h2", { text: `${here.player} fights` }), h("p", { text: `The monster's power is ${play.fight.base}. Enter the cards it draws.` }), h("div", { class: "row" }, drawn.map(miniCard)),
      cardForm(entering, colours, (next) => { ui.entering = next; again(); }, "drawn"), h("div", { class: "row" }, h("button", { text: "Add this card", "data-focus": "add-drawn", onclick() { ui.drawn = [...drawn, entering]; again(); } }), drawn.length > 0 && h("button", { class: "primary", "data-focus": "flip", text: `That is all (${drawn.length})`, onclick: () => act([`flip cards=${cards(drawn)}`], "the monster drew") }))];
  }
  return [h("h2", { text: `The monster's power is ${play.fight.power}` }), h("p", { text: "Tap the swords to use, or the card that is lost." }), pickable(here.hand, chosen, toggle),
    h("form", { class: "row", onsubmit(event) { event.preventDefault(); const bonus = Number(new FormData(event.target).get("bonus")), gold = Number(new FormData(event.target).get("gold")); act([`attack${paid.length ? ` swords=${cards(paid)}` : ""}${bonus ? ` bonus=${bonus}` : ""} gold=${gold}`], `${here.player} defeated a monster`); } },
      h("label", {}, h("span", { text: "Help and items" }), h("input", { type: "number", name: "bonus", min: 0, max: 20, value: 0 })), h("label", {}, h("span", { text: "Gold won" }), h("input", { type: "number", name: "gold", min: 0, max: 20, value: 2 })), h("button", { class: "primary", text: "Attack" })),
    h("div", { class: "row" }, !play.fight.defended && paid.length === 1 && paid[0].symbol === "shield" && h("button", { text: "Defend with this shield", "data-focus": "reflip", onclick: () => act([`reflip shield=${cardText(paid[0])}`], `${here.player} defended`) }),
      h("button", { class: "danger", "data-focus": "retreat", text: "The fight is lost", onclick: () => act([`retreat${paid.length ? ` lost=${cardText(paid[0])}` : ""}`], `${here.player} retreated`) }))];
}

function heroCards(game, ui, send, colours, again) {
  const { play } = game.state;
  return h("ul", { class: "stack" }, play.heroes.map((hero) => h("li", { class: `card stack hero-card${hero.player === play.turn ? " turn" : ""}`, "data-hero": hero.player },
    h("div", { class: "row spread" }, h("h3", { text: hero.player }), h("span", { class: "row" }, h("span", { class: "chip", text: hero.hero }), h("span", { class: "chip", text: `level ${hero.level}` }), h("span", { class: "chip", text: `${hero.gold} gold` }), hero.helping.charged && h("span", { class: "chip good", text: "can help" }))),
    h("div", { class: "row", "aria-label": "Hand" }, hero.hand.map(miniCard), !hero.hand.length && h("small", { text: "No cards in hand." })),
    hero.can_pay.quests.length > 0 && h("p", { class: "note good", text: `Can pay the quest at ${hero.can_pay.quests.map((name) => name.replace("-", " ")).join(" and ")}.` }),
    hero.items.length > 0 && h("p", { class: "soft", text: `Items: ${hero.items.map((item) => `${item.name}${item.charged ? "" : " (used)"}`).join(", ")}` }),
    h("div", { class: "row" }, h("button", { text: "+1 gold", "aria-label": `One gold more for ${hero.player}`, "data-focus": `gold-${hero.player}`, onclick: () => send([`gold player=${word(hero.player)} amount=1`], `${hero.player} got 1 gold`) }), h("button", { text: "−1", disabled: hero.gold === 0, "aria-label": `One gold less for ${hero.player}`, "data-focus": `less-${hero.player}`, onclick: () => send([`gold player=${word(hero.player)} amount=-1`], `${hero.player} paid 1 gold`) }), h("button", { text: "Level up", disabled: hero.level > 3, "data-focus": `level-${hero.player}`, onclick: () => send([`level player=${word(hero.player)} level=${hero.level + 1} gold=${hero.gold}`], `${hero.player} reached level ${hero.level + 1}`) })))),
    Object.entries(play.corners).filter(([, corner]) => corner.face_up && !corner.quest).map(([name]) => questCard(name, send)));
}

function questCard(name, send) {
  return h("li", {}, h("details", { class: "card" }, h("summary", { text: `Enter the quest at ${name.replace("-", " ")}` }), h("form", { class: "stack", onsubmit(event) { event.preventDefault(); const data = Object.fromEntries(new FormData(event.target)); const needs = ["potion", "scroll", "sword", "key", "shield"].flatMap((symbol) => Array.from({ length: Number(data[symbol] || 0) }, () => symbol)); send([`quest corner=${name} name=${word(data.name.trim() || name)} needs=${needs.join("/")} gold=${Number(data.gold || 0)} points=${Number(data.points || 0)}`], "quest entered"); } },
    h("label", {}, h("span", { text: "Name" }), h("input", { type: "text", name: "name", maxlength: 40 })),
    h("div", { class: "thirds" }, ["potion", "scroll", "sword", "key", "shield", "gold", "points"].map((key) => h("label", {}, h("span", { text: key === "gold" ? "Gold won" : key === "points" ? "Points" : `${key}s needed` }), h("input", { type: "number", name: key, min: 0, max: 20, value: 0 })))),
    h("button", { text: "Keep" }))));
}

function sheet(score) {
  if (!score.scores?.length) return null;
  const parts = Object.keys(score.scores[0].parts ?? {});
  return h("details", {}, h("summary", { text: "Score so far" }), h("div", { class: "scroller" }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), score.scores.map((one) => h("th", { scope: "col", class: "number", text: one.name })))), h("tbody", {}, parts.map((part) => h("tr", {}, h("th", { scope: "row", text: part }), score.scores.map((one) => h("td", { class: "number", text: one.parts[part] }))))), h("tfoot", {}, h("tr", {}, h("th", { scope: "row", text: "total" }), score.scores.map((one) => h("td", { class: "number" }, h("strong", { text: one.total }))))))));
}

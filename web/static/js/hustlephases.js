// A turn of Dungeon Hustle, phase by phase, each with the few taps that it needs.
import { cardForm, miniCard } from "./cards.js";
import { h, plural } from "./dom.js";
import { boardLines, cards, cardText, word } from "./hustlenotation.js";

const pickable = (hand, chosen, toggle) =>
  h(
    "div",
    { class: "row", role: "group", "aria-label": "Cards" },
    hand.map((card, number) =>
      h(
        "button",
        {
          class: "cardbutton",
          "aria-pressed": chosen.includes(number) ? "true" : "false",
          "data-focus": `card-${number}`,
          onclick: () => toggle(number),
        },
        miniCard(card),
      ),
    ),
  );

export function phasePanel(game, ui, send, colours, again, here) {
  const { play, table } = game.state,
    who = here.player;
  const chosen = ui.pay ?? [],
    hand = here.hand,
    paid = chosen.map((number) => hand[number]).filter(Boolean);
  const toggle = (number) => {
    ui.pay = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number];
    again();
  };
  const act = (lines, says) => {
    ui.pay = [];
    ui.drawn = [];
    return send(lines, says);
  };
  const button = (text, lines, says, extra = {}) =>
    h("button", { "data-focus": text, text, onclick: () => act(lines, says), ...extra });
  const title = (text) => h("h2", { text: `${who}: ${text}` });
  const distantFights = () =>
    h(
      "details",
      {},
      h("summary", { text: "Fight from a distance" }),
      h("p", { class: "soft", text: "If an item or a power allows it: which monster?" }),
      h(
        "div",
        { class: "row" },
        play.monsters.map(([row, col]) =>
          button(`Row ${row + 1}, column ${col + 1}`, [`fight at=${row},${col}`], `${who} fights from a distance`),
        ),
      ),
    );
  const phases = {
    hustle: () => [title("hustle"), h("p", { text: `Choose ${who}'s run under Runs and take it.` })],
    replace: () => [
      title("new cards"),
      h("p", { text: `Cover the ${plural(play.to_replace.length, "empty space")}, then take a photo.` }),
      table &&
        button(
          "The photo shows the new cards",
          [
            `replace cards=${cards(play.to_replace.map(([row, col]) => table.cells.find((cell) => cell.row === row && cell.col === col)))}`,
          ],
          "new cards laid",
          { class: "primary wide" },
        ),
    ],
    attacks: () => [
      title(plural(play.attacks, "wandering monster")),
      h("p", { text: "Tap a shield to defend, or the card that was lost." }),
      pickable(hand, [], (number) =>
        act(
          [`${hand[number].symbol === "shield" ? "defend" : "lose"} card=${cardText(hand[number])}`],
          hand[number].symbol === "shield" ? `${who} defended` : `${who} lost a card`,
        ),
      ),
      h(
        "div",
        { class: "row" },
        hand
          .filter((card) => card.symbol === "shield")
          .slice(0, 1)
          .map((card) => button("A shield was lost, not used", [`lose card=${cardText(card)}`], `${who} lost a card`)),
      ),
    ],
    combat: () => fight(play, ui, act, colours, again, here, chosen, paid, toggle),
    quest: () => [
      title("quest, then the monsters"),
      typeof here.spot === "string" &&
        here.can_pay.quests.includes(here.spot) && [
          h("p", { class: "note good", text: "The quest here can be paid. Tap the cards to give up." }),
          pickable(hand, chosen, toggle),
          button("Complete the quest", [`complete pay=${cards(paid)}`], `${who} completed a quest`, {
            class: "primary",
          }),
        ],
      h("p", { text: "Turn up the next card and take a photo, or enter it under Monsters." }),
      typeof here.spot !== "string" && play.monsters.length > 0 && distantFights(),
    ],
    rest: () => [
      title("rest"),
      h("p", {
        class: "soft",
        text: `Tap cards to pay with or to give up${here.hand_size ? `; ${here.hand_size} may stay` : ""}.`,
      }),
      pickable(hand, chosen, toggle),
      h(
        "div",
        { class: "row" },
        paid.length > 0 && button("Discard these", [`discard cards=${cards(paid)}`], `${who} discarded`),
        paid.length === 1 &&
          button("Charge the helping power", [`charge card=${cardText(paid[0])}`], `${who} charged help`),
        here.items
          .filter((item) => !item.charged)
          .map((item) =>
            button(
              `Recharge ${item.name}`,
              [`recharge item=${word(item.name)} pay=${cards(paid)}`],
              `${item.name} recharged`,
            ),
          ),
        button("End the turn", ["end"], `${who}'s turn ended`, { class: "primary" }),
      ),
      here.can_pay.keys > 0 &&
        h(
          "details",
          {},
          h("summary", { text: "Buy an item" }),
          h(
            "form",
            {
              class: "stack",
              onsubmit(event) {
                event.preventDefault();
                const data = Object.fromEntries(new FormData(event.target));
                act(
                  [
                    `buy item=${word(data.item.trim())} tier=${data.tier} pay=${cards(paid)}${Number(data.points) ? ` points=${Number(data.points)}` : ""}`,
                  ],
                  `${who} bought ${data.item.trim()}`,
                );
              },
            },
            h(
              "div",
              { class: "thirds" },
              h(
                "label",
                {},
                h("span", { text: "Item" }),
                h("input", { type: "text", name: "item", required: true, maxlength: 40 }),
              ),
              h(
                "label",
                {},
                h("span", { text: "Kind" }),
                h(
                  "select",
                  { name: "tier" },
                  ["trinket", "treasure", "artifact"].map((tier) => h("option", { value: tier, text: tier })),
                ),
              ),
              h(
                "label",
                {},
                h("span", { text: "Points" }),
                h("input", { type: "number", name: "points", min: 0, max: 50, value: 0 }),
              ),
            ),
            h("button", { text: "Buy with the chosen keys" }),
          ),
        ),
    ],
  };
  const stays =
    table &&
    h("button", {
      class: "quiet wide",
      "data-focus": "sync",
      text: "Take the board as the photo shows it",
      onclick: () => act(boardLines(table, play.heroes), "board taken from the photo"),
    });
  return h(
    "section",
    { class: "card stack" },
    phases[play.phase]?.(),
    h(
      "div",
      { class: "row" },
      play.heroes
        .filter((hero) => hero.player !== who && hero.helping.charged)
        .map((hero) => button(`${hero.player} helps`, [`help player=${word(hero.player)}`], `${hero.player} helped`)),
    ),
    stays,
  );
}

function fight(play, ui, act, colours, again, here, chosen, paid, toggle) {
  const drawn = ui.drawn ?? [],
    entering = ui.entering ?? { colour: colours[0], symbol: "sword", attack: false };
  if (play.fight.power === null) {
    return [
      h("h2", { text: `${here.player} fights` }),
      h("p", { text: `The monster's power is ${play.fight.base}. Enter the cards it draws.` }),
      h("div", { class: "row" }, drawn.map(miniCard)),
      cardForm(
        entering,
        colours,
        (next) => {
          ui.entering = next;
          again();
        },
        "drawn",
      ),
      h(
        "div",
        { class: "row" },
        h("button", {
          text: "Add this card",
          "data-focus": "add-drawn",
          onclick() {
            ui.drawn = [...drawn, entering];
            again();
          },
        }),
        drawn.length > 0 &&
          h("button", {
            class: "primary",
            "data-focus": "flip",
            text: `That is all (${drawn.length})`,
            onclick: () => act([`flip cards=${cards(drawn)}`], "the monster drew"),
          }),
      ),
    ];
  }
  return [
    h("h2", { text: `The monster's power is ${play.fight.power}` }),
    h("p", { text: "Tap the swords to use, or the card that is lost." }),
    pickable(here.hand, chosen, toggle),
    h(
      "form",
      {
        class: "row",
        onsubmit(event) {
          event.preventDefault();
          const bonus = Number(new FormData(event.target).get("bonus")),
            gold = Number(new FormData(event.target).get("gold"));
          act(
            [`attack${paid.length ? ` swords=${cards(paid)}` : ""}${bonus ? ` bonus=${bonus}` : ""} gold=${gold}`],
            `${here.player} defeated a monster`,
          );
        },
      },
      h(
        "label",
        {},
        h("span", { text: "Help and items" }),
        h("input", { type: "number", name: "bonus", min: 0, max: 20, value: 0 }),
      ),
      h(
        "label",
        {},
        h("span", { text: "Gold won" }),
        h("input", { type: "number", name: "gold", min: 0, max: 20, value: 2 }),
      ),
      h("button", { class: "primary", text: "Attack" }),
    ),
    h(
      "div",
      { class: "row" },
      !play.fight.defended &&
        paid.length === 1 &&
        paid[0].symbol === "shield" &&
        h("button", {
          text: "Defend with this shield",
          "data-focus": "reflip",
          onclick: () => act([`reflip shield=${cardText(paid[0])}`], `${here.player} defended`),
        }),
      h("button", {
        class: "danger",
        "data-focus": "retreat",
        text: "The fight is lost",
        onclick: () => act([`retreat${paid.length ? ` lost=${cardText(paid[0])}` : ""}`], `${here.player} retreated`),
      }),
    ),
  ];
}

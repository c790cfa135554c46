// Panels of Dungeon Hustle's board: the odds of a fight, what the turned-up card does, and the tracks.
import { attempt, get } from "./api.js";
import { cardForm, miniCard } from "./cards.js";
import { h, icon } from "./dom.js";
import { say } from "./speech.js";

export function boardPanels(game, ui, { api, post_, track, colours, panel, problems, warning, started }) {
  function fightBox() {
    const number = (key, label, most) =>
      h(
        "label",
        {},
        h("span", { text: label }),
        h(
          "select",
          {
            "data-focus": `fight-${key}`,
            onchange(event) {
              ui.fight = { ...ui.fight, [key]: Number(event.target.value) };
              ask();
            },
          },
          Array.from({ length: most + 1 }, (_, n) => n)
            .filter((n) => key !== "level" || n > 0)
            .map((n) =>
              h("option", { value: n, selected: ui.fight[key] === n, text: key === "shield" ? (n ? "yes" : "no") : n }),
            ),
        ),
      );
    const ask = async () => {
      ui.odds = await attempt(() =>
        get(
          api(
            `odds.json?level=${ui.fight.level}&strength=${ui.fight.strength}&shield=${ui.fight.shield}&dungeon=${track().level}`,
          ),
        ),
      );
      panel();
    };
    return h(
      "section",
      { class: "card stack" },
      h("h3", { text: "The odds of this fight" }),
      h(
        "div",
        { class: "thirds" },
        number("level", "Your level", 4),
        number("strength", "Swords and help", 10),
        number("shield", "A shield", 1),
      ),
      ui.odds
        ? h(
            "p",
            {},
            h("strong", { text: `${Math.round(ui.odds.attack * 100)} %` }),
            " to win by attacking",
            ui.fight.shield
              ? [", ", h("strong", { text: `${Math.round(ui.odds.defend * 100)} %` }), " with the shield in reserve"]
              : "",
            ".",
            !ui.odds.exact && h("small", { text: " Reckoned from the mix of cards on the board." }),
          )
        : h("button", { text: "Reckon", "data-focus": "reckon", onclick: ask }),
    );
  }

  function monsterPanel() {
    const card = game.state.table.revealed,
      answer = ui.monsters,
      where = ([row, col]) => (row === 3 && col === 3 ? "the exit" : `row ${row + 1}, column ${col + 1}`);
    const form = ui.card ?? card ?? { colour: colours()[0], symbol: "sword", attack: false };
    const { escaped, escape_limit: limit } = track();
    return [
      problems(),
      warning(),
      h(
        "div",
        { class: "row spread" },
        h("h2", { text: card ? "The turned-up card" : "Turn up a card" }),
        card && miniCard(card),
      ),
      answer?.problem && h("p", { class: "note doubt", text: answer.problem }),
      answer &&
        !answer.problem && [
          h(
            "ol",
            { class: "moves" },
            answer.explanations.spawned && h("li", { text: answer.explanations.spawned }),
            answer.explanations.moves.map((move) =>
              h("li", {}, h("strong", { text: `${where(move.from)}: ` }), move.why),
            ),
          ),
          !answer.moves.length && !answer.spawned && h("p", { text: "No monster stirs." }),
          h(
            "p",
            { class: "row" },
            h("span", {
              class: `chip ${answer.escaped > escaped ? "bad" : ""}`,
              text: `${answer.escaped} of ${limit} escaped`,
            }),
            answer.monsters_win && h("span", { class: "chip bad", text: "The monsters win" }),
          ),
          h(
            "button",
            {
              class: "primary wide",
              "data-focus": "confirm",
              async onclick() {
                const said = answer.explanations.moves.map((move) => move.why).join(" ");
                await post_("monsters");
                say(said);
              },
            },
            icon("yes"),
            "Move them so",
          ),
        ],
      h(
        "details",
        { open: !card },
        h("summary", { text: card ? "It is another card" : "Enter the card" }),
        cardForm(
          form,
          colours(),
          (next) => {
            ui.card = next;
            panel();
          },
          "card",
        ),
        h("button", {
          class: "wide",
          text: "Use this card",
          "data-focus": "use-card",
          onclick() {
            ui.card = null;
            post_("fixes", { photo: game.state.table.photo.id, op: "revealed", revealed: form });
          },
        }),
      ),
      !started() && tracks(),
    ];
  }

  function tracks() {
    const now = track(),
      set = (change) => post_("track", change);
    const choice = (key, label, options) =>
      h(
        "label",
        {},
        h("span", { text: label }),
        h(
          "select",
          {
            "data-focus": `track-${key}`,
            onchange: (event) =>
              set({ [key]: key === "spawn_corner" ? event.target.value : Number(event.target.value) }),
          },
          options.map(([value, text]) => h("option", { value, selected: String(now[key]) === String(value), text })),
        ),
      );
    const count = (least, most) => Array.from({ length: most - least + 1 }, (_, n) => [n + least, n + least]);
    return h(
      "section",
      { class: "card stack" },
      h("h3", { text: "Tracks" }),
      h(
        "div",
        { class: "thirds" },
        choice("escaped", "Escaped", count(0, now.escape_limit)),
        choice("escape_limit", "Ends at", [
          [5, "5, easy"],
          [4, "4, normal"],
          [3, "3, hard"],
        ]),
        choice("level", "Dungeon level", count(1, 3)),
      ),
      choice(
        "spawn_corner",
        "Monsters appear from",
        ["top-left", "top-right", "bottom-right", "bottom-left"].map((name) => [name, name.replace("-", " ")]),
      ),
    );
  }

  return { fightBox, monsterPanel };
}

// What is wanted less often: history, the big screen, teaching, the record, another demo photo.
import { attempt, post } from "./api.js";
import { fill, h, icon } from "./dom.js";

const DEMO = {
  "dungeon-drop": ["table-1", "table-2", "table-3", "table-4", "table-5", "table-6"],
  "dungeon-hustle": ["board-1", "board-2", "board-3", "board-4"],
};

export function morePanel(element, game) {
  const { state, id } = game;
  fill(element, JSON.stringify(["more", state.title, state.demo, state.waiting.length]), () => [
    h(
      "nav",
      { class: "menu", "aria-label": "More" },
      link(`/games/${id}/live`, "camera", "Live camera", "Watches the table by itself"),
      link(`/games/${id}/history`, "time", "History", "Every turn with its photo"),
      link(`/games/${id}/screen`, "screen", "Big screen", "For the television"),
      link(`/games/${id}/teach`, "learn", "Our own pieces", "Teach it how your copy looks"),
      link(`/games/${id}/score`, "yes", "Final score", "The sums laid open"),
      link(`/games/${id}/export.json`, "undo", "Save to a file", "All events and photos", {
        download: `${state.title}.json`,
      }),
    ),
    state.demo &&
      h(
        "section",
        { class: "stack" },
        h("h2", { text: "Demo photos" }),
        h(
          "div",
          { class: "row" },
          DEMO[state.game].map((name, number) =>
            h("button", {
              text: `${number + 1}`,
              "aria-label": `Demo photo ${number + 1}`,
              "data-focus": name,
              onclick: () => attempt(() => post(`/demo/games/${id}/photos/${name}`)),
            }),
          ),
        ),
      ),
    h(
      "form",
      {
        class: "stack",
        onsubmit(event) {
          event.preventDefault();
          attempt(() => post(`/games/${id}/title`, { title: new FormData(event.target).get("title") })).then(() => {
            document.querySelector(".top h1").textContent = new FormData(event.target).get("title");
          });
        },
      },
      h(
        "label",
        {},
        h("span", { text: "Name of this game" }),
        h("input", { type: "text", name: "title", value: state.title, maxlength: 80, required: true }),
      ),
      h("button", { text: "Rename" }),
    ),
    h(
      "button",
      {
        class: "danger wide",
        onclick() {
          if (confirm("Delete this game and its photos for good?"))
            attempt(() => post(`/games/${id}/delete`)).then((done) => done && location.assign("/"));
        },
      },
      icon("trash"),
      "Delete this game",
    ),
  ]);
}

const link = (href, symbol, text, more, extra = {}) =>
  h("a", { href, ...extra }, icon(symbol), h("span", {}, h("strong", { text }), h("small", { text: more })));

// Steps through a game's entries and shows the table as it lay at each.
import { attempt, get } from "./api.js";
import { $, h } from "./dom.js";
import { drawTable } from "./drawing.js";

const { id, game } = JSON.parse($("#state").textContent);
const draw = drawTable($("#view"), game, id);
let entries = [],
  here = 0;

async function show(number) {
  here = Math.min(Math.max(number, 0), entries.length - 1);
  const entry = entries[here];
  if (!entry) {
    $("#where").textContent = "Nothing has happened yet.";
    return;
  }
  $("#where").textContent = `${here + 1} of ${entries.length}: ${entry.says}`;
  $("#back").disabled = here === 0;
  $("#forth").disabled = here === entries.length - 1;
  for (const item of $("#entries").children)
    item.firstChild.setAttribute("aria-current", item.dataset.number === String(here) ? "step" : "false");
  const state = await attempt(() => get(`/games/${id}/at/${entry.seq}.json`));
  if (state && entries[here] === entry) draw(state);
}

$("#back").addEventListener("click", () => show(here - 1));
$("#forth").addEventListener("click", () => show(here + 1));
addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) show(here + step);
});

entries = (await attempt(() => get(`/games/${id}/history.json`)))?.entries ?? [];
$("#entries").replaceChildren(
  ...entries.map((entry, number) =>
    h(
      "li",
      { "data-number": number, class: entry.stands ? null : "undone" },
      h(
        "button",
        { class: "entry quiet", onclick: () => show(number) },
        entry.photo && entry.kind === "reading"
          ? h("img", {
              src: `/games/${id}/photos/${entry.photo}.jpg?w=160`,
              alt: "",
              width: 72,
              height: 54,
              loading: "lazy",
            })
          : h("span", { class: "blank" }),
        h(
          "span",
          {},
          h("span", { text: entry.says }),
          !entry.stands && h("small", { text: " (undone)" }),
          h("small", {
            class: "when",
            text: new Date(entry.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }),
          }),
        ),
      ),
    ),
  ),
);
show(entries.length - 1);

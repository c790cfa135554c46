// What both games' pages share: tabs, photos, undo, progress, zoom buttons, the way to a newer state.
import { attempt, post, upload } from "./api.js";
import { $, h, toast } from "./dom.js";
import { live } from "./live.js";
import { speechSwitch } from "./speech.js";
import { zoomable } from "./zoom.js";

export function shell({ onState, onTab, layers, zoomHandlers }) {
  const state = JSON.parse($("#state").textContent),
    id = state.id;
  const game = { id, state, tab: "", layer: "map" };
  const view = zoomable($("#view"), zoomHandlers);
  game.view = view;
  speechSwitch($("#speak"));

  for (const tab of document.querySelectorAll("[data-tab]"))
    tab.addEventListener("click", () => game.open(tab.dataset.tab));
  $(".tabs").addEventListener("keydown", (event) => {
    const all = [...document.querySelectorAll("[data-tab]")],
      here = all.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (here < 0 || !step) return;
    all[(here + step + all.length) % all.length].focus();
  });
  game.open = (name) => {
    game.tab = name;
    for (const tab of document.querySelectorAll("[data-tab]"))
      tab.setAttribute("aria-selected", tab.dataset.tab === name ? "true" : "false");
    $("#panel").scrollTop = 0;
    onTab(name);
  };

  $("#zoom-in").addEventListener("click", () => view.zoom(1.6));
  $("#zoom-out").addEventListener("click", () => view.zoom(1 / 1.6));
  $("#zoom-fit").addEventListener("click", () => view.reset());
  $("#layers").append(
    ...layers.map(([name, text]) =>
      h("button", {
        "aria-pressed": name === "map" ? "true" : "false",
        "data-layer": name,
        text,
        onclick() {
          game.layer = name;
          for (const button of $("#layers").children)
            button.setAttribute("aria-pressed", button.dataset.layer === name ? "true" : "false");
          game.onLayer?.(name);
        },
      }),
    ),
  );

  for (const name of ["undo", "redo"]) {
    $(`#${name}`).addEventListener("click", () =>
      attempt(() => post(`/games/${id}/${name}`, { seq: game.state[name]?.seq })),
    );
  }
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.closest("input, textarea"))
      return;
    event.preventDefault();
    $(event.shiftKey ? "#redo" : "#undo").click();
  });

  // Photos: the phone's camera by the file chooser, a file dropped anywhere, or pasted.
  game.purpose = { purpose: "table", hero: "" };
  game.shoot = (purpose = "table", hero = "") => {
    game.purpose = { purpose, hero };
    $("#file").click();
  };
  game.send = (file, fields = game.purpose) =>
    attempt(async () => {
      progress({ waiting: 1, reading: null, sending: true });
      try {
        await upload(`/games/${id}/photos`, file, fields);
        game.live.refresh();
      } catch (problem) {
        progress(null);
        throw problem;
      }
    });
  $("#shoot").addEventListener("click", () => game.shoot());
  $("#file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) await game.send(file);
    event.target.value = "";
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) game.send(file, { purpose: "table", hero: "" });
  });
  addEventListener("paste", (event) => {
    const [file] = event.clipboardData.files;
    if (file) game.send(file, { purpose: "table", hero: "" });
  });

  function progress(note) {
    const text = !note
      ? ""
      : note.sending
        ? "Sending the photo…"
        : note.reading
          ? `Reading the photo…${note.waiting ? ` ${note.waiting} more waiting.` : ""}`
          : "The photo is next.";
    $("#progress").hidden = !note;
    if ($("#progress span").textContent !== text) $("#progress span").textContent = text;
  }

  function buttons() {
    for (const name of ["undo", "redo"]) {
      const what = game.state[name],
        button = $(`#${name}`),
        word = name === "undo" ? "Undo" : "Redo";
      button.disabled = !what;
      button.setAttribute("aria-label", what ? `${word}: ${what.label}` : word);
      button.title = what ? `${word}: ${what.label}` : word;
    }
  }

  let failed = state.failed?.photo;
  game.start = () => {
    buttons();
    onState(state, null);
    game.live = live(id, state, {
      onState(next) {
        const before = game.state;
        game.state = next;
        buttons();
        if (!next.waiting.length) progress(null); // a photo read faster than it was announced
        // A second side that did not fit is spoken of in the panel, with what to do about it.
        if (next.failed && next.failed.photo !== failed && next.failed.purpose !== "side") toast(next.failed.message);
        failed = next.failed?.photo;
        onState(next, before);
      },
      onProgress: progress,
    });
  };
  return game;
}

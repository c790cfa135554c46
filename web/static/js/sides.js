// A second photo from the other side of the table: the offer, what it brought, and what to do where it did not fit.
import { attempt, post } from "./api.js";
import { h, icon, plural } from "./dom.js";

export function sidePanels(game) {
  const sideButton = (text) =>
    h("button", { class: "wide", "data-focus": "side", onclick: () => game.shoot("side") }, icon("camera"), text);

  function sides(shown) {
    if (!shown.sides)
      return h(
        "div",
        { class: "stack" },
        sideButton("Add a photo from the other side"),
        h("p", { class: "soft", text: "It finds cubes that hide behind others. Move nothing in between." }),
      );
    const found = shown.found ? ` The last one found ${plural(shown.found, "piece")} that hid behind others.` : "";
    return h("p", { class: "note good", text: `Read from ${shown.sides.length + 1} photos.${found}` });
  }

  function refusedSide() {
    const failed = game.state.failed;
    return (
      failed?.purpose === "side" &&
      h(
        "div",
        { class: "note doubt stack" },
        h("p", { text: failed.message }),
        h(
          "div",
          { class: "row" },
          h("button", { text: "Try once more", "data-focus": "again", onclick: () => game.shoot("side") }),
          h("button", {
            text: "This is how the table lies now",
            "data-focus": "instead",
            onclick: () => attempt(() => post(`/games/${game.id}/photos/${failed.photo}/read`)),
          }),
        ),
      )
    );
  }

  return { sides, refusedSide, sideButton };
}

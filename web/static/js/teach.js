// First-run calibration: tap one of each kind, and see at once what was learnt.
import { attempt, get, post, upload } from "./api.js";
import { $, fill, h, icon, plural, s } from "./dom.js";
import { KINDS, SIZES, kindOf, nameOf, points, swatch } from "./pieces.js";
import { zoomable } from "./zoom.js";

const WANTED = [
  ["gold", "S"],
  ["gold", "L"],
  ["key", "S"],
  ["chest", "L"],
  ["gem-clear", "S"],
  ["gem-pink", "S"],
  ["gem-blue", "S"],
  ["potion", "S"],
  ["shield", "L"],
  ["goblin", "S"],
  ["troll", "L"],
  ["dragon", "H"],
  ["pillar", "S"],
  ["pillar", "L"],
  ["key", "L"],
  ["gem-clear", "L"],
  ["gem-pink", "L"],
  ["gem-blue", "L"],
];
const state = JSON.parse($("#state").textContent),
  drop = state.game === "dungeon-drop",
  api = (path) => `/games/${state.id}/${path}`;
let photo = state.table?.photo ?? null,
  taps = [],
  kind = 0,
  learnt = null,
  known = null,
  busy = false,
  choosing = false;
const svg = $("#view"),
  image = s("image", { preserveAspectRatio: "none" }),
  marks = s("g"),
  found = s("g");
svg.replaceChildren(image, found, marks);
const view = zoomable(svg, { onTap });
$("#zoom-in").addEventListener("click", () => view.zoom(1.6));
$("#zoom-out").addEventListener("click", () => view.zoom(1 / 1.6));
$("#zoom-fit").addEventListener("click", () => view.reset());

function onTap(point, unit) {
  if (!photo || !drop || busy) return;
  const near = taps.findIndex(
    (tap) => Math.hypot(tap.center_px[0] - point[0], tap.center_px[1] - point[1]) < 14 * unit,
  );
  if (near >= 0) taps = taps.filter((_, number) => number !== near);
  else {
    const [type, size] = WANTED[kind];
    taps = [...taps, { type, size, center_px: point }];
    kind = (kind + 1) % WANTED.length;
  }
  draw();
}

function draw() {
  $("#stage").hidden = !photo;
  if (photo) {
    for (const [name, value] of Object.entries({
      href: api(`photos/${photo.id}.jpg`),
      width: photo.width,
      height: photo.height,
    }))
      image.setAttribute(name, value);
  }
  marks.replaceChildren(
    ...taps.flatMap(({ type, center_px: [x, y] }) => [
      s("circle", { class: "tap", cx: x, cy: y, r: 5, fill: KINDS[type].fill }),
      s("text", { class: "tag", x, y, text: KINDS[type].letter }),
    ]),
  );
  found.replaceChildren(
    ...(learnt?.pieces ?? []).map((piece) =>
      s("polygon", { class: "outline", points: points(piece.outline_px), stroke: kindOf(piece).fill }),
    ),
  );
  fill(
    $("#panel"),
    JSON.stringify([photo?.id, taps, kind, learnt?.timings_ms, known, busy]),
    drop ? dropPanel : hustlePanel,
  );
}

const shoot = () =>
  h(
    "button",
    { class: taps.length ? "wide" : "primary wide", "data-focus": "shoot", onclick: () => $("#file").click() },
    icon("camera"),
    photo ? "Another photo" : "Photograph one of each kind",
  );

function dropPanel() {
  const [type, size] = WANTED[kind];
  return [
    known?.taught && h("p", { class: "note good", text: `Your own copy is known from ${plural(known.taps, "tap")}.` }),
    !photo &&
      h("p", { text: "Lay out one or two cubes of every kind, a finger apart, and photograph them from above." }),
    photo &&
      !learnt && [
        h("div", { class: "row" }, swatch(type), h("h2", { text: `Tap a ${nameOf({ type, size })}` })),
        h(
          "div",
          { class: "row" },
          h("button", {
            text: "I have none",
            "data-focus": "skip",
            onclick() {
              kind = (kind + 1) % WANTED.length;
              draw();
            },
          }),
          taps.length > 0 &&
            h("button", {
              text: "Take back",
              "data-focus": "back",
              onclick() {
                taps = taps.slice(0, -1);
                kind = (kind + WANTED.length - 1) % WANTED.length;
                draw();
              },
            }),
        ),
        h(
          "details",
          {
            open: choosing,
            ontoggle(event) {
              choosing = event.target.open;
            },
          },
          h("summary", { text: "Choose the kind yourself" }),
          h(
            "div",
            { class: "kinds", role: "group", "aria-label": "Kind to tap next" },
            WANTED.map(([each, its], number) =>
              h(
                "button",
                {
                  "aria-pressed": number === kind ? "true" : "false",
                  "data-focus": `kind-${number}`,
                  onclick() {
                    kind = number;
                    draw();
                  },
                },
                swatch(each),
                h("span", { text: `${SIZES[its]} ${KINDS[each].name}${count(each, its)}` }),
              ),
            ),
          ),
        ),
      ],
    taps.length > 0 &&
      !learnt &&
      h(
        "ul",
        { class: "crops" },
        taps.map((tap) => h("li", {}, crop(tap.center_px), h("small", { text: nameOf(tap) }))),
      ),
    taps.length > 0 &&
      !learnt &&
      h(
        "button",
        { class: "primary wide", "data-focus": "learn", disabled: busy, onclick: learn },
        icon("learn"),
        `Learn from ${plural(taps.length, "tap")}`,
      ),
    learnt && result(),
    shoot(),
    known?.taught &&
      h("button", { class: "danger wide", text: "Forget our copy", "data-focus": "forget", onclick: forget }),
  ];
}
const count = (type, size) => {
  const number = taps.filter((tap) => tap.type === type && tap.size === size).length;
  return number ? ` ×${number}` : "";
};
function crop([x, y]) {
  const half = Math.max(photo.width, photo.height) / 60;
  return s(
    "svg",
    { class: "tapped", viewBox: `${x - half} ${y - half} ${2 * half} ${2 * half}`, "aria-hidden": "true" },
    s("image", { href: api(`photos/${photo.id}.jpg`), width: photo.width, height: photo.height }),
  );
}
function result() {
  const counts = new Map();
  for (const piece of learnt.pieces) counts.set(piece.type, (counts.get(piece.type) ?? 0) + 1);
  return h(
    "section",
    { class: "card stack" },
    h("h2", { text: "This is what I see now" }),
    h(
      "ul",
      { class: "tally" },
      [...counts].map(([type, number]) =>
        h("li", {}, swatch(type), h("span", { text: `${number} ${KINDS[type].name}` })),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button primary", href: `/games/${state.id}`, text: "That is right" }),
      h("button", {
        text: "Tap some more",
        "data-focus": "again",
        onclick() {
          learnt = null;
          draw();
        },
      }),
    ),
  );
}
function hustlePanel() {
  return [
    known?.taught && h("p", { class: "note good", text: `Your own copy is known from ${plural(known.taps, "card")}.` }),
    h("p", {
      text: "Photograph the board, put every card right under Correct, then come back here: the whole board is the lesson.",
    }),
    photo &&
      h(
        "button",
        { class: "primary wide", "data-focus": "learn", disabled: busy, onclick: learnTable },
        icon("learn"),
        "Learn from this board",
      ),
    h("a", { class: "button wide", href: `/games/${state.id}`, text: "Back to the board" }),
    known?.taught &&
      h("button", { class: "danger wide", text: "Forget our copy", "data-focus": "forget", onclick: forget }),
  ];
}

async function working(task) {
  busy = true;
  $("#progress").hidden = false;
  draw();
  const done = await attempt(task);
  busy = false;
  $("#progress").hidden = true;
  known = await attempt(() => get(api("teach.json")));
  draw();
  return done;
}
const learn = () =>
  working(async () => {
    learnt = (await post(api("teach"), { photo: photo.id, cubes: taps })).reading;
  });
const learnTable = () => working(() => post(api("teach/table")));
const forget = () => working(() => post(api("teach/forget")));

$("#file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  await working(async () => {
    const { photo: id } = await upload(api("photos"), file, { purpose: "teach" });
    let size = null;
    for (let tries = 0; !size && tries < 120; tries++) {
      await new Promise((go) => setTimeout(go, 500));
      size = (await get(api(`photos/${id}.json`)).catch(() => null))?.size_px;
    }
    [photo, taps, learnt, kind] = [{ id, width: size?.[0] ?? 1600, height: size?.[1] ?? 1200 }, [], null, 0];
    view.home([0, 0, photo.width, photo.height]);
  });
});
known = await attempt(() => get(api("teach.json")));
draw();
if (photo) view.home([0, 0, photo.width, photo.height]);

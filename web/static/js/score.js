// The quick way to a score: photograph each stash or count it, enter the quests, read the sums.
import { attempt, post, upload } from "./api.js";
import { $, fill, h, icon } from "./dom.js";
import { sheet } from "./counting.js";
import { live } from "./live.js";
import { KINDS, swatch } from "./pieces.js";
import { questFields, questFrom } from "./quests.js";

const COUNTED = Object.keys(KINDS).filter((type) => !["pillar", "staircase", "meeple", "relic"].includes(type));
let state = JSON.parse($("#state").textContent),
  answer = null,
  complaint = "";
const empty = (number) => ({
  name: `Hero ${number}`,
  initiative: number,
  quest: {},
  teamwork: 0,
  counts: {},
  chest_rolls: [],
});
let heroes =
  state.track.quick ??
  (state.play.heroes?.length
    ? state.play.heroes.map((hero) => ({
        ...empty(hero.initiative),
        name: hero.name,
        initiative: hero.initiative,
        teamwork: hero.teamwork,
        counts: counts(hero.stash),
        chest_rolls: hero.rolls,
      }))
    : [empty(1), empty(2)]);

function counts(cubes) {
  const found = {};
  for (const { type, number = 1 } of cubes) if (COUNTED.includes(type)) found[type] = (found[type] ?? 0) + number;
  return found;
}
const stash = (hero) =>
  Object.entries(hero.counts).flatMap(([type, number]) => Array.from({ length: number }, () => ({ type })));
const chests = (hero) => Math.min(hero.counts.key ?? 0, hero.counts.chest ?? 0);

async function save() {
  await attempt(() => post(`/games/${state.id}/quick`, { heroes }));
  reckon();
}
async function reckon() {
  const ready = heroes.filter((hero) => Object.values(hero.counts).some(Boolean));
  complaint = "";
  answer = ready.length
    ? await post(`/games/${state.id}/score`, {
        heroes: ready.map((hero) => ({
          name: hero.name,
          initiative: hero.initiative,
          quest: hero.quest,
          teamwork: hero.teamwork,
          stash: stash(hero),
          chest_rolls: hero.chest_rolls,
        })),
      }).catch((problem) => {
        complaint = problem.message;
        return null;
      })
    : null;
  draw();
}
const change = (number, more) => {
  heroes = heroes.map((hero, at) => (at === number ? { ...hero, ...more } : hero));
  save();
};

function draw() {
  fill($("#sheet"), JSON.stringify([answer, complaint]), () =>
    answer
      ? sheet(answer)
      : h("p", {
          class: complaint ? "note doubt" : "soft",
          text: complaint || "Photograph each stash, or count it by hand.",
        }),
  );
  fill($("#heroes"), JSON.stringify([heroes, state.waiting, Object.keys(state.stashes)]), () => [
    heroes.map(card),
    heroes.length < 4 &&
      h(
        "button",
        {
          class: "wide",
          "data-focus": "more",
          onclick() {
            heroes = [...heroes, empty(heroes.length + 1)];
            save();
          },
        },
        icon("plus"),
        "Another hero",
      ),
  ]);
}

function card(hero, number) {
  const photo = state.stashes[hero.name],
    set = (type, by) =>
      change(number, { counts: { ...hero.counts, [type]: Math.max(0, (hero.counts[type] ?? 0) + by) } });
  const value = (label, key) =>
    h(
      "label",
      {},
      h("span", { text: label }),
      h("input", {
        type: "number",
        min: 0,
        max: 99,
        value: hero[key],
        "data-focus": `${key}-${number}`,
        onchange: (event) => change(number, { [key]: Number(event.target.value) }),
      }),
    );
  return h(
    "section",
    { class: "card stack", "aria-label": hero.name },
    h(
      "div",
      { class: "thirds" },
      h(
        "label",
        {},
        h("span", { text: "Name" }),
        h("input", {
          type: "text",
          maxlength: 40,
          value: hero.name,
          "data-focus": `name-${number}`,
          onchange: (event) => change(number, { name: event.target.value.trim() || hero.name }),
        }),
      ),
      value("Initiative", "initiative"),
      value("Teamwork", "teamwork"),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          class: "primary",
          "data-focus": `photo-${number}`,
          onclick() {
            $("#file").dataset.hero = hero.name;
            $("#file").click();
          },
        },
        icon("camera"),
        "Photograph the stash",
      ),
      photo &&
        h("button", {
          "data-focus": `use-${number}`,
          text: "Use the photo's count",
          onclick: () => change(number, { counts: counts(photo.pieces) }),
        }),
    ),
    h(
      "div",
      { class: "steppers" },
      COUNTED.map((type) =>
        h(
          "div",
          { class: "stepper" },
          swatch(type),
          h("span", { text: KINDS[type].name }),
          h(
            "button",
            {
              "aria-label": `One ${KINDS[type].name} fewer`,
              "data-focus": `${type}-less-${number}`,
              onclick: () => set(type, -1),
            },
            icon("minus"),
          ),
          h("output", { text: hero.counts[type] ?? 0 }),
          h(
            "button",
            {
              "aria-label": `One ${KINDS[type].name} more`,
              "data-focus": `${type}-more-${number}`,
              onclick: () => set(type, 1),
            },
            icon("plus"),
          ),
        ),
      ),
    ),
    chests(hero) > 0 &&
      h(
        "fieldset",
        {},
        h("legend", { text: "Chests rolled" }),
        Array.from({ length: chests(hero) }, (_, roll) =>
          h(
            "div",
            { class: "row" },
            [1, 2, 3, 4, 5, 6].map((shows) =>
              h("button", {
                text: shows,
                "aria-pressed": hero.chest_rolls[roll] === shows ? "true" : "false",
                "data-focus": `roll-${number}-${roll}-${shows}`,
                onclick() {
                  const rolls = [...hero.chest_rolls];
                  rolls[roll] = shows;
                  change(number, { chest_rolls: Array.from(rolls, (one) => one ?? 1) });
                },
              }),
            ),
          ),
        ),
      ),
    h(
      "details",
      { open: Object.keys(hero.quest).length > 0 },
      h("summary", { text: "Quest" }),
      h(
        "form",
        {
          class: "stack",
          onsubmit(event) {
            event.preventDefault();
            change(number, { quest: questFrom(event.target) });
          },
        },
        questFields(hero.quest),
        h("button", { text: "Use this quest" }),
      ),
    ),
  );
}

$("#file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file)
    await attempt(() => upload(`/games/${state.id}/photos`, file, { purpose: "stash", hero: $("#file").dataset.hero }));
  event.target.value = "";
});
live(state.id, state, {
  onState(next) {
    for (const [number, hero] of heroes.entries()) {
      const now = next.stashes[hero.name],
        before = state.stashes[hero.name];
      if (now && now.photo.id !== before?.photo.id)
        heroes[number] = {
          ...hero,
          counts: counts(now.pieces),
          chest_rolls: now.pieces.filter((piece) => piece.type === "chest" && piece.shows).map((piece) => piece.shows),
        };
    }
    state = next;
    reckon();
  },
  onProgress() {},
});
reckon();

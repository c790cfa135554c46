// The television: nothing to press. Shows what the phones see, and the room somebody is looking at.
import { get } from "./api.js";
import { $, fill, h } from "./dom.js";
import { drawTable } from "./drawing.js";
import { live } from "./live.js";
import { kindOf, swatch } from "./pieces.js";
import { say } from "./speech.js";

const first = JSON.parse($("#state").textContent),
  draw = drawTable($("#view"), first.game, first.id);
let state = first,
  verdict = null;

function escapes() {
  const kept = state.play.phase !== "setup" ? state.play : { escaped: 0, escape_limit: 5, ...state.track };
  return `${kept.escaped} of ${kept.escape_limit} escaped`;
}

function show() {
  draw(state, verdict);
  const play = state.play,
    heroes = play.heroes ?? [],
    whose = play.active ?? (typeof play.turn === "string" ? play.turn : null);
  fill($("#side"), JSON.stringify([state.title, play, verdict, state.track]), () => [
    h("h1", { text: state.title }),
    whose && h("p", { class: "big", text: `${whose}'s turn` }),
    play.round > 0 && play.phase === "play" && h("p", { text: `Round ${play.round} of ${play.rounds}` }),
    verdict &&
      h(
        "section",
        { class: `verdict card ${verdict.legal ? "legal" : "illegal"}` },
        h("p", { class: "call", text: verdict.legal ? "A legal room" : "Not legal" }),
        verdict.legal
          ? h("p", { text: `${verdict.points} points, ${verdict.damage} damage` })
          : verdict.why_not.map((why) => h("p", { text: why.message })),
        h(
          "ul",
          { class: "tally" },
          verdict.takes.map(({ type, count }) =>
            h("li", {}, swatch(type), h("span", { text: `${count} ${kindOf({ type }).name}` })),
          ),
        ),
      ),
    first.game === "dungeon-hustle" && h("p", { class: "big", text: escapes() }),
    h(
      "ul",
      { class: "stack" },
      heroes.map((hero) =>
        h(
          "li",
          { class: `card row spread${hero.active ? " turn hero-card" : ""}` },
          h("strong", { text: hero.name ?? hero.player }),
          h("span", {
            text: hero.health
              ? `${hero.health - hero.damage} health, weight ${hero.weight}`
              : `level ${hero.level}, ${hero.gold} gold`,
          }),
        ),
      ),
    ),
    play.sheet &&
      h("p", {
        class: "big",
        text: `${play.sheet.winner} wins with ${Math.max(...play.sheet.scores.map((score) => score.total))}`,
      }),
    !state.table && h("p", { text: "Waiting for the first photo." }),
  ]);
}

const source = live(first.id, first, {
  onState(next) {
    const moved = next.seq !== state.seq;
    state = next;
    if (moved) verdict = null;
    show();
  },
  onProgress() {},
});
source.on("spotlight", async (room) => {
  verdict = room?.length === 3 ? await get(`/games/${first.id}/rooms/${room.join(",")}.json`).catch(() => null) : null;
  show();
  if (verdict) say(verdict.says);
});
addEventListener("resize", show);
show();

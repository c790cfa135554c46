// A table or board that is only looked at: no taps, no zoom.
import { BoardView } from "./boardview.js";
import { roomBands } from "./closeup.js";
import { TableView } from "./tableview.js";

export function drawTable(svg, game, id) {
  const drop = game === "dungeon-drop",
    view = drop ? new TableView(svg) : new BoardView(svg);
  return (state, verdict = null) => {
    svg.hidden = !state.table;
    if (!state.table) return;
    const taken = verdict ? new Set(verdict.collects) : null,
      nothing = () => false;
    if (drop) view.draw(state.table, id, { chosen: verdict?.pillars ?? [], taken, active: nothing, doubtful: nothing });
    else {
      const kept = !["setup", "over"].includes(state.play.phase),
        spawn = kept ? state.play.spawn_corner : (state.track.spawn_corner ?? "top-left");
      view.draw(kept ? { ...state.table, cells: state.play.cells } : state.table, id, {
        selected: null,
        doubtful: nothing,
        spawn,
      });
    }
    const box = view.homeBox();
    svg.setAttribute("viewBox", box.join(" "));
    svg.style.setProperty(
      "--unit",
      Math.max(box[2] / Math.max(svg.clientWidth, 1), box[3] / Math.max(svg.clientHeight, 1)),
    );
    if (drop)
      view.drawRoom(verdict?.hull_mm ?? null, verdict ? roomBands(state.table, verdict.pillars) : [], verdict?.legal);
    for (const hit of svg.querySelectorAll(".hit")) hit.remove();
  };
}

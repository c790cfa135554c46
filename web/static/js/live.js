// Keeps the game's state fresh: the server says that something changed, the page fetches it. After lost Wi-Fi the browser
// connects again by itself and says the last number it saw.
import { get } from "./api.js";

export function live(id, first, { onState, onProgress, onLine }) {
  let state = first,
    asking = false,
    again = false;

  async function refresh() {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    try {
      const next = await get(`/games/${id}.json`);
      if (next.seq >= state.seq) onState((state = next));
    } catch {
      /* the stream's own reconnect will ask again */
    }
    asking = false;
    if (again) {
      again = false;
      refresh();
    }
  }

  const source = new EventSource(`/games/${id}/stream?after=${first.seq}`);
  source.addEventListener("changed", refresh);
  source.addEventListener("touched", refresh);
  source.addEventListener("progress", (event) => onProgress(JSON.parse(event.data)));
  source.addEventListener("open", () => {
    onLine?.(true);
    refresh();
  });
  source.addEventListener("error", () => onLine?.(false));
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  const on = (topic, tell) => source.addEventListener(topic, (event) => tell(JSON.parse(event.data)));
  return { refresh, on };
}

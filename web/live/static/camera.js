// The live page: this phone's camera or one of the computer's, the table's state, and one tap for what happened.
import { attempt, get, post } from "../../static/js/api.js";
import { $, fill, h, toast } from "../../static/js/dom.js";

const id = $("#main").dataset.game, base = `/games/${id}/live`;
const FRAME_MS = 200;  // five frames a second: a hand cannot come and go between two of them
let state = JSON.parse($("#state").textContent), camera = null;

const WORDS = { watching: "Watching", "hand in view": "Hand in view", reading: "Reading…", read: "Read" };
const HEALTH = {
  silent: "The camera has gone silent: is it plugged in, is it on the Wi-Fi?",
  frozen: "The camera shows the same picture again and again: restart it.",
};

function show(next) {
  state = next;
  const lost = state.running && HEALTH[state.health];
  const mode = $("#mode"), name = !state.running ? "off" : lost ? "lost" : state.state;
  mode.dataset.state = name;
  const words = !state.running ? "Camera off" : lost ? "No picture" : state.health === "opening" ? "Opening…" : WORDS[state.state];
  if (mode.textContent !== words) mode.textContent = words;
  const complaint = lost || (state.running ? state.complaint : "") || "";
  if ($("#complaint").textContent !== complaint) $("#complaint").textContent = complaint;
  $("#check").hidden = $("#stop").hidden = !state.running;
  $("#choose").hidden = state.running;
  $("#none").hidden = state.running;
  $("#own").hidden = !camera;
  $("#seen").hidden = !state.running || camera !== null || state.frame === 0;
  ask(state.proposal);
}

function ask(proposal) {
  fill($("#proposal"), JSON.stringify(proposal), () => proposal && h("div", { class: "asked" },
    h("h2", { text: "What happened?" }),
    proposal.choices.map((choice, number) => h("button", {
      class: number === 0 ? "primary wide" : "wide", text: choice.says, "data-focus": `choice-${number}`,
      onclick: () => attempt(() => post(`${base}/confirm`, { number: proposal.number, choice: number })),
    }))));
}

// The browser as camera: frames go out one after another, never two at once, so that a slow Wi-Fi slows them down.
async function film(stream) {
  const video = $("#own"), canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  video.srcObject = stream;
  await video.play();
  stream.getVideoTracks()[0].addEventListener("ended", () => { toast("The camera was taken away; turn it on again."); off(); });
  while (camera === stream) {
    const begun = performance.now();
    if (video.videoWidth) {
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      pen.drawImage(video, 0, 0);
      const jpeg = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
      await send(jpeg);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, FRAME_MS - (performance.now() - begun))));
  }
}

let refused = 0;
async function send(jpeg) {
  try {
    const answer = await fetch(`${base}/frame`, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg });
    if (answer.status !== 409) { refused = 0; return; }
    if (++refused > 3) return off();  // somebody chose another camera
    await post(`${base}/start`, { source: "browser" });  // the computer was restarted: go on
  } catch { await new Promise((resolve) => setTimeout(resolve, 1000)); }  // no Wi-Fi: try again
}

async function own() {
  if (!navigator.mediaDevices?.getUserMedia) {
    toast("This browser shows its camera only over https: start the page with --lan --https.");
    return;
  }
  const wish = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wish, audio: false })
    .catch(() => { throw new Error("The camera was not allowed; allow it in the browser's settings for this page."); });
  await post(`${base}/start`, { source: "browser" });
  camera = stream;
  film(stream);
}

function off() {
  camera?.getTracks().forEach((track) => track.stop());
  camera = null;
  show(state);
}

fill($("#choose"), "sources", () => JSON.parse($("#sources").textContent).map(({ source, name }, number) => h("button", {
  class: number === 0 ? "primary" : "", text: source === "browser" ? "Use this phone’s camera" : `Use ${name}`, "data-source": source,
  onclick: () => attempt(() => source === "browser" ? own() : post(`${base}/start`, { source })),
})));
$("#stop").addEventListener("click", () => { off(); attempt(() => post(`${base}/stop`)); });
$("#check").addEventListener("click", () => attempt(async () => {
  const { findings } = await get(`${base}/check.json`);
  $("#findings").replaceChildren(...findings.map((one) => h("li", { "data-grade": one.grade, text: one.message })));
}));
setInterval(() => {
  if (state.running && !camera && document.visibilityState === "visible") {
    const next = new Image();
    next.src = `${base}/preview.jpg?${Date.now()}`;
    next.addEventListener("load", () => { $("#seen").src = next.src; $("#seen").hidden = camera !== null; });
  }
}, 1000);

const news = new EventSource(`${base}/stream`);
news.addEventListener("live", (event) => show(JSON.parse(event.data)));
addEventListener("pagehide", () => { news.close(); off(); });
show(state);

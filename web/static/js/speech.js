// The browser's own voice, off until somebody switches it on.
const KEY = "speak";
let on = localStorage.getItem(KEY) === "yes";

export function speechSwitch(button) {
  if (!("speechSynthesis" in window)) {
    button.hidden = true;
    return;
  }
  const show = () => button.setAttribute("aria-pressed", on ? "true" : "false");
  button.addEventListener("click", () => {
    on = !on;
    localStorage.setItem(KEY, on ? "yes" : "no");
    if (on) say("I will read verdicts aloud.");
    else speechSynthesis.cancel();
    show();
  });
  show();
}

export function say(text) {
  if (!on || !text || !("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: "en" }));
}

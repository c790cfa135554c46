// Pan and zoom of an SVG by finger, wheel and keys, by moving its viewBox. Taps come out as points of the drawing.
const TAP_PX = 9;
const SPARED_PX = 58; // the buttons at the bottom cover nothing that matters

export function zoomable(svg, { onTap, onGrab, onMove, onDrop, onZoom }) {
  let home = [0, 0, 100, 100],
    box = home,
    start = null,
    held = null;
  const fingers = new Map();

  function fit(wanted) {
    const { clientWidth: w, clientHeight: h } = svg,
      free = Math.max(h - SPARED_PX, 1);
    const [x, y, bw, bh] = wanted,
      scale = Math.max(bw / Math.max(w, 1), bh / free);
    return [x - (scale * w - bw) / 2, y - (scale * free - bh) / 2, scale * w, scale * h];
  }
  function show(next) {
    box = next;
    svg.setAttribute("viewBox", box.map((v) => v.toFixed(3)).join(" "));
    svg.style.setProperty("--unit", (box[2] / Math.max(svg.clientWidth, 1)).toFixed(5));
    onZoom?.();
  }
  const unit = () => box[2] / Math.max(svg.clientWidth, 1);
  function at(event) {
    const frame = svg.getBoundingClientRect();
    return [box[0] + (event.clientX - frame.left) * unit(), box[1] + (event.clientY - frame.top) * unit()];
  }
  function zoom(by, point = [box[0] + box[2] / 2, box[1] + box[3] / 2]) {
    const whole = fit(home)[2],
      width = Math.min(Math.max(box[2] / by, whole / 30), whole * 1.6),
      k = width / box[2];
    show([point[0] - (point[0] - box[0]) * k, point[1] - (point[1] - box[1]) * k, width, box[3] * k]);
  }
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return {
      middle: { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 },
      apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
    };
  };

  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) {
      start = { x: event.clientX, y: event.clientY, box, moved: false };
      held = onGrab?.(at(event)) ?? null;
    } else if (fingers.size === 2) {
      held = null;
      start = { ...spread(), box, moved: true };
    }
  });
  svg.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const now = spread(),
        by = now.apart / Math.max(start.apart, 1);
      box = start.box;
      const point = at(start.middle);
      zoom(by, point);
      show([
        box[0] - (now.middle.clientX - start.middle.clientX) * unit(),
        box[1] - (now.middle.clientY - start.middle.clientY) * unit(),
        box[2],
        box[3],
      ]);
      return;
    }
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > TAP_PX) start.moved = true;
    if (!start.moved) return;
    if (held !== null) onMove?.(held, at(event));
    else if (start.x !== undefined)
      show([
        start.box[0] - (event.clientX - start.x) * unit(),
        start.box[1] - (event.clientY - start.y) * unit(),
        box[2],
        box[3],
      ]);
  });
  function up(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size === 0 && event.type === "pointerup") {
      if (!start.moved) onTap?.(at(event), unit());
      else if (held !== null) onDrop?.(held, at(event));
    }
    if (fingers.size === 1) {
      const [only] = fingers.values();
      start = { x: only.clientX, y: only.clientY, box, moved: true };
    }
    held = null;
  }
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", up);
  svg.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.0016), at(event));
    },
    { passive: false },
  );
  let [wide, high] = [0, 0];
  new ResizeObserver(() => {
    const before = wide;
    [wide, high] = [svg.clientWidth, svg.clientHeight];
    if (!before) show(fit(home));
    else show([box[0], box[1], box[2], (box[2] * high) / Math.max(wide, 1)]);
  }).observe(svg);

  return {
    home(next) {
      home = next;
      show(fit(home));
    },
    frame(next) {
      home = next;
    },
    reset() {
      show(fit(home));
    },
    zoom,
    look([x, y], width) {
      show(fit([x - width / 2, y - width / 2, width, width]));
    },
    unit,
  };
}

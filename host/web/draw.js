/* Drawing on a canvas that fills its place, in the colours of the theme. */

function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

/* A function has the same colour in each picture. Brackets: not a function. */
const colors = new Map();
function colorOf(name) {
  let color = colors.get(name);
  if (!color) {
    const value = hash(name);
    color = name.startsWith("[") ? "#b5b9c0" : `hsl(${10 + value % 45} ${62 + (value >> 8) % 30}% ${58 + (value >> 16) % 16}%)`;
    colors.set(name, color);
  }
  return color;
}

const causeColors = ["#4c9a5f", "#d8663a", "#b0413e", "#d9a441", "#7a6bb8", "#3f8fb5", "#c25b93", "#8c8f4a", "#5c7fd6",
  "#7d7d7d", "#a3a3a3", "#b98a5e", "#48a9a1", "#9b5fc0", "#c9b037", "#5f6770", "#7fae3f", "#ad6f6f"];

/* From cold (blue) over pale to hot (red); `share` from 0 to 1. */
const heatStops = [[74, 126, 214], [242, 226, 160], [214, 48, 31]];
function heat(share) {
  const place = 2 * Math.max(0, Math.min(1, share)), stop = Math.min(1, Math.floor(place));
  const mixed = heatStops[stop].map((value, i) => Math.round(value + (heatStops[stop + 1][i] - value) * (place - stop)));
  return `rgb(${mixed.join(" ")})`;
}

/* {canvas, context, width, height}: calls draw(screen) when its size changes, and when the caller asks by redraw(). */
class Screen {
  constructor(root, label, draw) {
    this.canvas = make("canvas", {tabindex: "0", role: "application", "aria-label": label});
    this.root = root;
    this.draw = draw;
    root.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(root);
    this.resize();
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.root.clientWidth;
    this.height = this.root.clientHeight;
    this.canvas.width = Math.max(1, Math.round(this.width * ratio));
    this.canvas.height = Math.max(1, Math.round(this.height * ratio));
    styled(this.canvas, {width: this.width + "px", height: this.height + "px"});
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.redraw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (!this.root.isConnected) {
        this.watch.disconnect();
        return;
      }
      this.context.clearRect(0, 0, this.width, this.height);
      this.context.font = "12px system-ui, sans-serif";
      this.context.textBaseline = "middle";
      this.draw(this);
    });
  }

  /* As much of the text as fits, or nothing. */
  text(text, x, y, width, color) {
    const letters = Math.floor((width - 6) / 6.4);
    if (letters < 3) return;
    this.context.fillStyle = color;
    this.context.fillText(text.length > letters ? text.slice(0, letters - 2) + ".." : text, x + 3, y, width - 4);
  }
}

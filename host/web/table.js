/* A table of any number of rows, of which only those on the screen are elements. */

const ROW = 22;

/* columns: {id, title, width (em; 0: the rest), text: left, value(i): for the order, show(i): text or element}.
 * options: {rows, sort, descending, filter, selected, onselect(i), onopen(i): Enter, onsort(id, descending), code, label} */
class Table {
  constructor(root, columns, options) {
    this.columns = columns;
    this.options = options;
    this.all = options.rows;
    this.sort = columns.find((column) => column.id === options.sort) || columns.find((column) => column.value);
    this.descending = options.descending !== false;
    this.selected = options.selected;
    this.head = make("div", {class: "row head", role: "row"});
    this.tall = make("div", {class: "tall"});
    this.rows = make("div", {class: "rows", tabindex: "0", role: "grid", "aria-label": options.label}, this.tall);
    root.append(make("div", {class: "table" + (options.code ? " code" : "")}, this.head, this.rows));
    this.rows.addEventListener("scroll", () => this.draw());
    this.rows.addEventListener("keydown", (event) => this.key(event));
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.rows);
    this.order();
  }

  cellStyle(cell, column) {
    return column.width ? styled(cell, {width: column.width + "em"}) : cell;
  }

  drawHead() {
    this.head.replaceChildren(...this.columns.map((column) => {
      const mark = column === this.sort && column.value ? (this.descending ? " \u25be" : " \u25b4") : "";
      const attributes = {class: (column.text ? "" : "number") + (column.width ? "" : " wide")};
      if (!column.value) return this.cellStyle(make("span", attributes, column.title), column);
      const cell = make("button", {...attributes, type: "button", onclick: () => this.sortBy(column)}, column.title + mark);
      return this.cellStyle(cell, column);
    }));
  }

  sortBy(column) {
    this.descending = column === this.sort ? !this.descending : !column.text;
    this.sort = column;
    this.order();
    if (this.options.onsort) this.options.onsort(column.id, this.descending);
  }

  setFilter(test) {
    this.options.filter = test;
    this.order();
  }

  order() {
    const {filter} = this.options;
    this.shown = filter ? this.all.filter((i) => filter(i)) : this.all.slice();
    if (this.sort && this.sort.value) {
      const value = this.sort.value, way = this.descending ? -1 : 1;
      this.shown.sort((a, b) => {
        const left = value(a), right = value(b);
        return left < right ? -way : left > right ? way : a - b;
      });
    }
    styled(this.tall, {height: this.shown.length * ROW + "px"});
    this.drawHead();
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.rows.scrollTop / ROW) - 2);
    const after = Math.min(this.shown.length, first + Math.ceil(this.rows.clientHeight / ROW) + 5);
    const list = [];
    for (let at = first; at < after; at++) list.push(this.row(at));
    this.tall.replaceChildren(...list);
    if (!this.rows.isConnected && this.drawn) this.watch.disconnect();
    this.drawn = this.rows.isConnected;
  }

  row(at) {
    const index = this.shown[at];
    const cells = this.columns.map((column) => this.cellStyle(
      make("span", {role: "gridcell", class: (column.text ? "" : "number") + (column.width ? "" : " wide")}, column.show(index)), column));
    for (const cell of cells) if (cell.classList.contains("number")) cell.title = cell.textContent; /* it may be wider than its place */
    const row = make("div", {class: "row", role: "row", "aria-rowindex": at + 1, "aria-selected": index === this.selected ? "true" : null,
      onclick: () => this.select(at)}, ...cells);
    return styled(row, {top: at * ROW + "px"});
  }

  select(at) {
    this.selected = this.shown[at];
    this.reveal(at);
    this.draw();
    if (this.options.onselect) this.options.onselect(this.selected);
  }

  reveal(at) {
    const top = at * ROW, height = this.rows.clientHeight;
    if (top < this.rows.scrollTop) this.rows.scrollTop = top;
    else if (top + ROW > this.rows.scrollTop + height) this.rows.scrollTop = top + ROW - height;
  }

  /* Shows the row of this index in the middle. */
  goTo(index) {
    const at = this.shown.indexOf(index);
    if (at < 0) return;
    this.selected = index;
    this.rows.scrollTop = Math.max(0, at * ROW - this.rows.clientHeight / 2);
    this.draw();
  }

  key(event) {
    const at = this.shown.indexOf(this.selected), page = Math.max(1, Math.floor(this.rows.clientHeight / ROW) - 1);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    if (event.key === "Enter" && event.target === this.rows && at >= 0 && this.options.onopen) this.options.onopen(this.selected);
    if (!(event.key in steps) || !this.shown.length) return;
    event.preventDefault();
    this.select(Math.max(0, Math.min(this.shown.length - 1, (at < 0 ? -1 : at) + steps[event.key])));
  }
}

function range(length) {
  const list = new Uint32Array(length);
  for (let i = 0; i < length; i++) list[i] = i;
  return list;
}

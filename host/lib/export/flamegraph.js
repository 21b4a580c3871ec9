/* SPDX-License-Identifier: Apache-2.0 */
(function () {
  var svg = document.documentElement, field = document.getElementById("found"), zoomed = null, pattern = "";
  var frames = Array.prototype.slice.call(svg.querySelectorAll("g.f")).map(function (g) {
    return {g: g, box: g.querySelector("rect"), text: g.querySelector("text"), name: g.getAttribute("data-name"),
            x: +g.getAttribute("data-x"), w: +g.getAttribute("data-w"), row: +g.getAttribute("data-row")};
  });
  var whole = frames[0].w, WIDTH = +svg.getAttribute("data-width"), LETTER = 7;
  function draw() {
    var from = zoomed ? zoomed.x : 0, width = zoomed ? zoomed.w : whole, scale = WIDTH / width;
    frames.forEach(function (f) {
      var below = zoomed && f.row < zoomed.row && f.x <= zoomed.x && f.x + f.w >= zoomed.x + zoomed.w;
      var x = below ? 0 : (f.x - from) * scale, w = below ? WIDTH : f.w * scale;
      var shown = x + w > 0 && x < WIDTH && w >= 0.3 && (below || !zoomed || f.row >= zoomed.row);
      f.g.style.display = shown ? "" : "none";
      f.g.style.opacity = below ? 0.5 : 1;
      if (!shown) return;
      f.box.setAttribute("x", x);
      f.box.setAttribute("width", Math.max(w - 0.3, 0.2));
      f.text.setAttribute("x", x + 3);
      var letters = Math.floor((w - LETTER) / LETTER);
      f.text.textContent = letters < 3 ? "" : f.name.length <= letters ? f.name : f.name.slice(0, letters - 2) + "..";
    });
  }
  function search() {
    var hit, ends = {}, sum = 0;
    try { hit = pattern ? new RegExp(pattern, "i") : null; } catch (error) { hit = null; }
    frames.forEach(function (f) {
      var is = hit && hit.test(f.name);
      f.g.classList.toggle("hit", !!is);
      if (is && !(ends.x <= f.x && f.x + f.w <= ends.end)) { sum += f.w; ends = {x: f.x, end: f.x + f.w}; }
    });
    field.textContent = hit ? pattern + ": " + (100 * sum / whole).toFixed(2) + " % of all" : "";
  }
  frames.forEach(function (f) { f.g.addEventListener("click", function () { zoomed = f === frames[0] ? null : f; draw(); }); });
  function ask() {
    var given = window.prompt("Search for functions (regular expression)", pattern);
    if (given !== null) { pattern = given; search(); }
  }
  document.getElementById("search").addEventListener("click", ask);
  document.getElementById("reset").addEventListener("click", function () { zoomed = null; draw(); });
  window.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { zoomed = null; pattern = ""; search(); draw(); }
    if (event.key === "/") { event.preventDefault(); ask(); }
  });
  draw();
})();

"use strict";
// Sorts a table by the column whose button is pressed; cells say their value in data-value.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentNode;
    const body = head.closest("table").tBodies[0];
    const up = head.ariaSort !== "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => row.cells[head.cellIndex].dataset.value ?? row.cells[head.cellIndex].textContent;
    const compare = (a, b) => (Number(value(a)) - Number(value(b))) || value(a).localeCompare(value(b), "en", {numeric: true});
    body.append(...[...body.rows].sort((a, b) => (up ? compare(a, b) : compare(b, a))));
  });
}
// Shows the items that have the chosen data-* and the words typed, in themselves or in the heads of their groups.
const filters = document.querySelector(".filters");
const items = [...document.querySelectorAll(".item")];
const groups = [...document.querySelectorAll(".group")];
const heads = (item) => {
  const group = item.parentNode.closest(".group");
  return group ? (group.dataset.words ?? "") + " " + heads(group) : "";
};
const texts = new Map(items.map((item) => [item, (item.textContent + " " + heads(item)).toLowerCase()]));
const narrow = () => {
  const words = filters.elements.words.value.toLowerCase().split(/\s+/);
  const choices = [...filters.querySelectorAll("select")].filter((select) => select.value);
  let shown = 0;
  for (const item of items) {
    item.hidden = !(choices.every((choice) => item.dataset[choice.name] === choice.value)
      && words.every((word) => texts.get(item).includes(word)));
    shown += item.hidden ? 0 : 1;
  }
  const narrowed = shown < items.length;
  for (const group of groups) {
    group.hidden = narrowed && !group.querySelector(".item:not([hidden])");
    if (group instanceof HTMLDetailsElement && narrowed) group.open = shown <= 40;
  }
  filters.querySelector("output").textContent = `${shown} of ${items.length} shown`;
};
filters.addEventListener("input", narrow);
filters.addEventListener("submit", (event) => event.preventDefault());
narrow();
// A number of the front table chooses what it counts.
for (const link of document.querySelectorAll("a[data-choose]")) {
  link.addEventListener("click", () => {
    filters.reset();
    for (const [name, value] of Object.entries(JSON.parse(link.dataset.choose))) filters.elements[name].value = value;
    narrow();
  });
}
// A link to a row opens it and what it stands in.
const open = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentNode.closest?.("details")) if (at instanceof HTMLDetailsElement) at.open = true;
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", open);
open();
// A picture that is pressed fills the window, and grows with + and -.
const dialog = document.querySelector("dialog");
const large = dialog?.querySelector("img");
let width = 100;
const grow = (factor) => {
  width = Math.min(800, Math.max(50, width * factor));
  large.style.width = `${width}%`;
};
for (const button of document.querySelectorAll(".zoom")) {
  button.addEventListener("click", () => {
    const small = button.querySelector("img");
    large.src = small.src;
    large.alt = small.alt;
    width = 100;
    grow(1);
    dialog.showModal();
  });
}
dialog?.addEventListener("click", (event) => grow(Number(event.target.dataset.grow ?? 1)));
dialog?.addEventListener("keydown", (event) => grow({"+": 1.4, "=": 1.4, "-": 1 / 1.4}[event.key] ?? 1));

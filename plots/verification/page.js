"use strict";
// Sorts a table by the column whose head is clicked; cells say their value in data-value.
for (const head of document.querySelectorAll("th[data-sort]")) {
  head.addEventListener("click", () => {
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const up = !head.classList.contains("up");
    for (const other of head.parentNode.children) other.classList.remove("up", "down");
    head.classList.add(up ? "up" : "down");
    const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
    const compare = head.dataset.sort === "number"
      ? (a, b) => (Number(value(a)) - Number(value(b))) || 0
      : (a, b) => value(a).localeCompare(value(b));
    const rows = [...body.rows].sort((a, b) => (up ? compare(a, b) : compare(b, a)));
    body.append(...rows);
  });
}
// Shows the rows of the chosen kind and verdict whose text has the words typed.
const filters = document.querySelector("#filters");
const narrow = () => {
  const kind = filters.querySelector("[name=kind]").value;
  const verdict = filters.querySelector("[name=verdict]").value;
  const words = filters.querySelector("[name=words]").value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const row of document.querySelector("#claims").tBodies[0].rows) {
    const fits = (!kind || row.dataset.kind === kind) && (!verdict || row.dataset.verdict === verdict)
      && words.every((word) => row.textContent.toLowerCase().includes(word));
    row.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  filters.querySelector("output").textContent = `${shown} rows`;
};
filters.addEventListener("input", narrow);
narrow();
// A link to a row opens it.
const open = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) { target.open = true; target.scrollIntoView(); }
};
addEventListener("hashchange", open);
open();

// A number and its cell are highlighted together; the plan can be edited and saved.
(() => {
  document.documentElement.classList.add("js");
  const { records, schema } = JSON.parse(document.getElementById("data").textContent);
  const plan = document.getElementById("plan");
  const status = document.getElementById("status");
  const json = document.getElementById("json");
  const undoButton = document.getElementById("undo");
  const addCell = document.getElementById("add-cell");
  const past = [];
  let chosen = null;
  let dragged = null;
  let target = null;

  const idsOf = (element) => (element.dataset.records || "").split(" ").filter(Boolean);
  const saying = (id) => document.querySelectorAll(`#text [data-records~="${id}"]`);
  const cellOf = (id) => document.querySelector(`td[data-records="${id}"]`);

  // Highlighting.
  function light(element, on) {
    for (const id of idsOf(element)) {
      for (const each of document.querySelectorAll(`[data-records~="${id}"]`)) each.classList.toggle("lit", on);
    }
  }
  for (const [start, end] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(start, (event) => mark(event.target, true));
    document.addEventListener(end, (event) => mark(event.target, false));
  }
  function mark(place, on) {
    const element = place instanceof Element && place.closest("[data-records]");
    if (element) light(element, on);
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("button")) return;
    const element = event.target.closest("#text [data-records], td[data-records]");
    if (element) lead(element);
  });
  function lead(element) {
    const [id] = idsOf(element);
    if (element.matches("td")) choose(element);
    const other = element.matches("td") ? saying(id)[0] : cellOf(id);
    if (other) {
      other.focus({ preventScroll: true });
      other.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
  function choose(cell) {
    if (chosen) chosen.classList.remove("chosen");
    chosen = cell;
    cell.classList.add("chosen");
    addCell.disabled = false;
  }

  // Moving from cell to cell.
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  function step(cell, [down, right]) {
    const row = cell.parentElement;
    const rows = [...row.parentElement.rows];
    const to = rows[rows.indexOf(row) + down]?.cells[cell.cellIndex + right];
    if (to && to.matches("td")) to.focus();
  }

  // The plan.
  const sentences = () => [...plan.children];
  const listOf = (sentence) => sentence.querySelector(".entries");
  const state = () => sentences().map((each) => [...listOf(each).children].map((entry) => entry.dataset.records));

  function entry(id) {
    const [, , value, label] = records[id];
    const item = document.createElement("li");
    item.className = "entry";
    item.dataset.records = id;
    item.tabIndex = 0;
    item.draggable = true;
    const text = document.createElement("span");
    const strong = document.createElement("b");
    strong.textContent = value;
    text.append(`${label} `, strong);
    const remove = document.createElement("button");
    remove.type = "button";
    remove.textContent = "×";
    remove.setAttribute("aria-label", `Remove ${label}`);
    item.append(text, remove);
    return item;
  }
  function sentence(ids) {
    const item = document.createElement("li");
    const list = document.createElement("ul");
    list.className = "entries";
    list.append(...ids.map(entry));
    item.append(list);
    return item;
  }
  function draw(all) {
    plan.replaceChildren(...all.map(sentence));
    write();
  }
  function change(does, says) {
    past.push(state());
    undoButton.disabled = false;
    does();
    write();
    status.textContent = says;
  }
  function planned() {
    const named = (id) => ({ entity: records[id][0], type: records[id][1], value: records[id][2] });
    return { schema, sentences: state().filter((each) => each.length).map((each) => each.map(named)) };
  }
  function write() {
    json.value = `${JSON.stringify(planned(), null, 2)}\n`;
  }
  function place(item, list, before) {
    list.insertBefore(item, before);
  }
  function remove(item) {
    const next = item.nextElementSibling || item.previousElementSibling || undoButton;
    change(() => item.remove(), "Removed.");
    next.focus();
  }
  function shift(item, by) {
    const list = item.parentElement;
    const beside = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (beside) {
      change(() => place(item, list, by < 0 ? beside : beside.nextElementSibling), "Moved.");
    }
    item.focus();
  }
  function carry(item, by) {
    const all = sentences();
    const to = all[all.indexOf(item.closest("#plan > li")) + by];
    if (to) change(() => listOf(to).append(item), "Moved to another sentence.");
    item.focus();
  }
  const keys = {
    ArrowLeft: (item) => shift(item, -1),
    ArrowRight: (item) => shift(item, 1),
    ArrowUp: (item) => carry(item, -1),
    ArrowDown: (item) => carry(item, 1),
    Delete: remove,
    Backspace: remove,
  };
  document.addEventListener("keydown", (event) => {
    const item = event.target;
    if (item.matches(".entry") && keys[event.key]) {
      event.preventDefault();
      keys[event.key](item);
    } else if (item.matches("td") && steps[event.key]) {
      event.preventDefault();
      step(item, steps[event.key]);
    } else if (event.key === "Enter" && item.matches("#text [data-records], td[data-records]")) {
      event.preventDefault();
      lead(item);
    }
  });
  plan.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) remove(button.closest(".entry"));
    target = event.target.closest("#plan > li") || target;
  });
  plan.addEventListener("focusin", (event) => {
    target = event.target.closest("#plan > li") || target;
  });
  plan.addEventListener("dragstart", (event) => {
    dragged = event.target.closest(".entry");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.textContent);
  });
  plan.addEventListener("dragover", (event) => {
    const into = event.target.closest("#plan > li");
    if (!dragged || !into) return;
    event.preventDefault();
    for (const each of sentences()) each.classList.toggle("into", each === into);
  });
  plan.addEventListener("drop", (event) => {
    const into = event.target.closest("#plan > li");
    if (!dragged || !into) return;
    event.preventDefault();
    const item = dragged;
    const before = event.target.closest(".entry");
    if (before !== item) change(() => place(item, listOf(into), before), "Moved.");
  });
  plan.addEventListener("dragend", () => {
    dragged = null;
    for (const each of sentences()) each.classList.remove("into");
  });
  document.getElementById("add-sentence").addEventListener("click", () => {
    change(() => plan.append(sentence([])), "A sentence was added.");
    target = plan.lastElementChild;
  });
  addCell.addEventListener("click", () => {
    const [id] = idsOf(chosen);
    const into = target && target.isConnected ? target : plan.lastElementChild;
    change(() => {
      if (into) listOf(into).append(entry(id));
      else plan.append(sentence([id]));
    }, "Added to the sentence.");
  });
  undoButton.addEventListener("click", () => {
    draw(past.pop());
    undoButton.disabled = past.length === 0;
    status.textContent = "Undone.";
  });
  document.getElementById("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([json.value], { type: "application/json" }));
    link.download = "plan.json";
    link.click();
    URL.revokeObjectURL(link.href);
    status.textContent = "Saved as plan.json.";
  });
  draw(state());
})();

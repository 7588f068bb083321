// ---- Keeping, dropping and notes, which need a server that stores them ----

// host: { annotations, lines, unplaced, page, editable }. An annotation is { id, line, state, note, quote, where };
// `line` is the sentence of this summary that it belongs to, or null if there is none.
const host = JSON.parse(byId("host")?.textContent ?? "null");
const annotations = new Map();
const strays = [];
for (const each of host?.annotations ?? []) {
  if (each.line === null) strays.push(each);
  else annotations.set(each.line, each);
}

function isAdapted() {
  return [...annotations.values()].some((each) => each.state);
}

// Removes dropped sentences and adds kept ones, then restores the length: the sentences chosen last are
// removed, or the first ones of longer summaries are added.
function adapted(chosen) {
  if (!isAdapted()) return chosen;
  const stateOf = (index) => annotations.get(index)?.state;
  const alike = (index) => data.sentences[index].alike;
  const before = size(chosen);
  const dropped = new Set([...annotations.keys()].filter((index) => stateOf(index) === "drop").map(alike));
  const kept = [...annotations.keys()].filter((index) => stateOf(index) === "keep");
  for (const index of chosen) if (dropped.has(alike(index))) chosen.delete(index);
  const freed = size(chosen) < before;
  const held = new Set([...chosen].map(alike));
  for (const index of kept) if (!held.has(alike(index))) chosen.add(index);
  const keptToo = new Set(kept.map(alike));
  const most = Math.max(limitOf(state.rung), state.doses.size ? before : 0);
  const byStep = (one, other) => data.sentences[one].step - data.sentences[other].step;
  for (const index of [...chosen].sort(byStep).reverse()) {
    if (size(chosen) <= most) break;
    if (!keptToo.has(alike(index))) chosen.delete(index);
  }
  if (freed && data.dense) refill(chosen, dropped, most, byStep);
  return chosen;
}

function refill(chosen, dropped, most, byStep) {
  const held = new Set([...chosen].map((index) => data.sentences[index].alike));
  for (let rung = state.rung + 1; rung < data.rungs.length; rung++) {
    const next = [...items.keys()].filter((index) => data.sentences[index].rungs.includes(rung)).sort(byStep);
    for (const index of next) {
      const { alike } = data.sentences[index];
      if (held.has(alike) || dropped.has(alike)) continue;
      chosen.add(index);
      if (size(chosen) > most) chosen.delete(index);
      else held.add(alike);
    }
  }
}

function size(chosen) {
  if (data.rungs[state.rung].most.sentences) return chosen.size;
  let words = 0;
  for (const index of chosen) words += data.sentences[index].words;
  return words;
}

function limitOf(rung) {
  const { words, sentences } = data.rungs[rung].most;
  return sentences ?? words;
}

// ---- Controls and marks of annotations ----

function annotationTools(index) {
  if (!host) return [];
  const tools = [];
  if (host.editable) {
    for (const [name, title, act] of [
      ["Keep", "Keep it at every length", () => mark(index, "keep")],
      ["Drop", "Drop it from the summary", () => mark(index, "drop")],
      ["Note", "Write a note", () => editNote(index)],
    ]) {
      const button = makeButton(name, title, act);
      button.className = name.toLowerCase();
      tools.push(button);
    }
  }
  if (host.pictures && data.sentences[index].page !== null) {
    tools.push(makeButton("Page", `See page ${data.sentences[index].page}`, () => showPicture(index)));
  }
  setTimeout(() => showAnnotation(index));
  return tools;
}

function showAnnotation(index) {
  const own = annotations.get(index);
  const item = items[index];
  item.classList.toggle("kept", own?.state === "keep");
  item.querySelector(".tools .keep")?.setAttribute("aria-pressed", own?.state === "keep");
  item.querySelector(".tools .drop")?.setAttribute("aria-pressed", own?.state === "drop");
  item.querySelector(":scope > .note")?.remove();
  if (own?.note) item.append(make("p", "note", own.note));
}

function mark(index, wanted) {
  const own = annotations.get(index);
  return annotate(index, own?.state === wanted ? null : wanted, own?.note ?? "");
}

async function annotate(index, wanted, note) {
  const answer = await send("PUT", `${host.lines}/${index}`, { state: wanted, note });
  if (!answer) return false;
  if (answer.id === null) annotations.delete(index);
  else annotations.set(index, { ...answer, line: index });
  follow(index);
  const told = { keep: "Kept", drop: "Dropped" }[wanted] ?? (note ? "Noted" : "As it was");
  say(`${told}. ${counted(shownWords(), "word")} in the summary.`);
  return true;
}

function follow(index) {
  const focused = items[index].contains(document.activeElement);
  const next = shown[shown.indexOf(index) + 1] ?? shown[shown.indexOf(index) - 1];
  showAnnotation(index);
  showLength(state.rung);
  listAnnotations();
  if (!focused || isShown(index) || next === undefined) return;
  const at = standIn(next);
  if (at >= 0) {
    choose(at);
    sayOf(at).focus({ preventScroll: true });
  }
}

async function send(method, url, body) {
  try {
    const sent = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(url, { method, ...sent });
    const told = await answer.json();
    if (answer.ok) return told;
    say(told.detail);
    complain(told.detail);
  } catch {
    complain("The server does not answer; nothing was changed.");
  }
  return null;
}

function complain(text) {
  say(text);
  const box = byId("complaint") ?? document.querySelector("main").appendChild(make("p"));
  box.id = "complaint";
  box.textContent = text;
  setTimeout(() => box.remove(), 6000);
}

function editNote(index) {
  const item = items[index];
  if (item.querySelector("form.noting")) return;
  const form = make("form", "noting");
  const field = make("textarea");
  field.value = annotations.get(index)?.note ?? "";
  field.maxLength = 10000;
  field.rows = 3;
  field.setAttribute("aria-label", "Note");
  const save = make("button", "plainly", "Save");
  const close = () => {
    form.remove();
    sayOf(index).focus({ preventScroll: true });
  };
  // What was written stays until it is stored.
  const store = async (event) => {
    event.preventDefault();
    if (await annotate(index, annotations.get(index)?.state ?? null, field.value.trim())) close();
  };
  form.addEventListener("submit", store);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) store(event);
    if (event.key === "Escape") close();
  });
  const cancel = makeButton("Cancel", "", close);
  cancel.className = "plainly";
  form.append(field, save, " ", cancel);
  item.append(form);
  field.focus();
}

// ---- The list of all annotations, including those that belong to no sentence of this summary ----

function listAnnotations() {
  if (!host) return;
  const old = byId("annotations");
  const all = [...annotations.values(), ...strays];
  const list = make("section");
  list.id = "annotations";
  list.setAttribute("aria-label", "Kept, dropped and noted");
  if (all.length) list.append(make("h3", "", "Kept, dropped and noted"), make("ul"));
  for (const each of all) list.lastChild.append(annotationItem(each));
  if (old) old.replaceWith(list);
  else document.querySelector("#summary footer").prepend(list);
}

function annotationItem(each) {
  const item = make("li");
  const told = { keep: "Kept", drop: "Dropped" }[each.state] ?? "Noted";
  item.append(make("b", "", `${told}: `), `“${each.quote}” `, make("small", "", each.where));
  if (each.note) item.append(make("p", "note", each.note));
  const row = make("p");
  if (each.line === null) row.append(make("small", "", "This summary has no such sentence; the note stays with the document. "));
  const find = makeButton(each.line === null ? "Find it in the document" : "Go to it", "", () => {
    if (each.line !== null && isShown(each.line)) goToSentence(each.line);
    else openFind(each.quote), goToFound(1);
  });
  find.className = "plainly";
  row.append(find);
  if (host.editable) {
    const undo = makeButton("Undo", `Take back: ${told}`, () => takeBack(each));
    undo.className = "plainly";
    row.append(" ", undo);
  }
  item.append(row);
  return item;
}

async function takeBack(each) {
  if (!(await send("DELETE", `${host.all}/${each.id}`))) return;
  if (each.line === null) strays.splice(strays.indexOf(each), 1);
  else annotations.delete(each.line);
  if (each.line !== null) showAnnotation(each.line);
  showLength(state.rung);
  listAnnotations();
  say("Taken back.");
}

// ---- Images of pages, with the sentence marked on them ----

async function showPicture(index) {
  const { page } = data.sentences[index];
  const dialog = byId("picture") ?? document.body.appendChild(make("dialog"));
  dialog.id = "picture";
  dialog.setAttribute("aria-label", `Page ${page}`);
  const close = makeButton("Close", "", () => dialog.close());
  close.className = "plainly";
  const figure = make("figure");
  const image = make("img");
  image.alt = `Page ${page} of the document`;
  figure.append(image);
  dialog.replaceChildren(close, figure);
  dialog.showModal();
  const fail = () => figure.replaceChildren(make("p", "", "The page cannot be shown."));
  image.addEventListener("error", fail);
  const boxes = await send("GET", `${host.lines}/${index}/boxes`);
  if (!boxes) return fail();
  image.src = boxes.picture;
  figure.append(drawnBoxes(boxes));
  figure.querySelector("rect")?.scrollIntoView({ block: "center" });
  say(`Page ${page}${boxes.boxes.length ? ", with the sentence marked" : ""}`);
}

function drawnBoxes({ width, height, boxes }) {
  const drawing = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  for (const [x, y, wide, high] of boxes) drawing.append(makeSvg("rect", { x, y, width: wide, height: high }));
  return drawing;
}

// ---- Exporting the summary as it is shown ----

// Forms that export the visible sentences have a field for them.
function fillForms() {
  for (const form of document.querySelectorAll("form[data-shown]")) {
    form.addEventListener("submit", () => {
      form.elements.shown.value = shown.join(",");
      form.elements.rung.value = state.rung;
    });
  }
}

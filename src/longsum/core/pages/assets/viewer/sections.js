// ---- Sections: the list as a tree, the map, and the marks beside the scroll bar ----

const LIGHTEST_SHADE = 0.1;
const DARKEST_SHADE = 0.45; // the labels on it stay readable
const LABEL_MARGIN = 6; // pixels on either side of a section's label
const OPEN_SECTIONS = 40; // a list of more is closed below its first level
const cells = [...document.querySelectorAll(".map > svg > a")];
const cellNames = cells.map((cell) => cell.getAttribute("aria-label"));
const branches = [...document.querySelectorAll(".contents li")].map((item) => {
  const row = make("div", "row");
  row.id = item.id;
  item.removeAttribute("id");
  item.prepend(row);
  return row;
});
const rail = make("div");
let railMarks = [];

function sectionName(section) {
  return byId(`in-${section}`)?.querySelector("bdi").textContent || "the section";
}

// Words of the summary by section, including its descendants.
function wordsOfSections() {
  const words = new Array(data.parents.length).fill(0);
  for (const index of shown) {
    let at = data.sentences[index].section;
    for (; at !== null && at !== undefined; at = data.parents[at]) words[at] += data.sentences[index].words;
  }
  return words;
}

function shareOut() {
  shadeMap();
  tellTaken();
  if (byId("contents").open) fillContents();
  nameDoses();
  for (const { mark, index } of railMarks) mark.hidden = !isShown(index);
}

// Next to the share that was read: the share that is in the summary.
function tellTaken() {
  const sources = new Set(shown.flatMap((index) => data.sentences[index].sources));
  const sections = new Set(shown.map((index) => data.sentences[index].section));
  byId("taken").textContent = `The summary rests on ${counted(sources.size, "sentence")}, from ${sections.size} of ${counted(data.parents.length, "section")}.`;
}

function shadeMap() {
  const drawn = new Array(cells.length).fill(0);
  const total = shownWords();
  for (const index of shown) {
    for (const cell of data.sentences[index].cells) drawn[cell] += data.sentences[index].words;
  }
  cells.forEach((cell, index) => {
    const share = total ? drawn[index] / total : 0;
    const name = `${cellNames[index]}, ${Math.round(100 * share)}% of the summary`;
    const shade = LIGHTEST_SHADE + (DARKEST_SHADE - LIGHTEST_SHADE) * Math.sqrt(share);
    cell.querySelector("rect").style.fillOpacity = share ? shade : LIGHTEST_SHADE / 2;
    cell.querySelector("title").textContent = name;
    cell.setAttribute("aria-label", name);
  });
}

// As many whole words of the title as fit into the cell, possibly none.
function fitLabels() {
  for (const cell of cells) {
    const text = cell.querySelector("text");
    const room = cell.querySelector("rect").getBoundingClientRect().width - 2 * LABEL_MARGIN;
    const words = (text.dataset.label || "").split(" ");
    const fits = (label) => {
      text.textContent = label;
      return text.getComputedTextLength() <= room;
    };
    const cut = (count) => words.slice(0, count).join(" ") + (count < words.length ? "…" : "");
    let count = words.length;
    while (count && !fits(cut(count))) count--;
    if (!count) text.textContent = "";
  }
}

function onMapKey(event) {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = move && cells[cells.indexOf(document.activeElement) + move];
  if (!next) return;
  event.preventDefault();
  document.activeElement.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

// ---- The list: a tree view as in the WAI-ARIA pattern ----

function growTree() {
  const list = document.querySelector(".contents .sheet > ul");
  if (!list) {
    byId("contents").hidden = true;
    return;
  }
  list.setAttribute("role", "tree");
  list.setAttribute("aria-label", "Sections, with how much of each is in the summary");
  for (const branch of branches) {
    const item = branch.parentElement;
    const below = item.querySelector(":scope > ul");
    const link = item.querySelector("a");
    const twist = make("span", "twist", below ? "\u200b" : "");
    const level = depthOf(branch);
    twist.setAttribute("aria-hidden", "true");
    link.tabIndex = -1;
    link.id = `name-${branch.id}`;
    branch.append(twist, link, share());
    item.setAttribute("role", "none");
    branch.setAttribute("role", "treeitem");
    branch.setAttribute("aria-labelledby", link.id);
    branch.setAttribute("aria-level", level);
    branch.tabIndex = -1;
    below?.setAttribute("role", "group");
    if (below) branch.setAttribute("aria-expanded", level < 2 && branches.length > OPEN_SECTIONS ? "false" : "true");
    if (data.dense) branch.append(doseButtons(Number(branch.id.slice(3))));
    for (const dosed of branch.querySelectorAll(".dose button")) dosed.tabIndex = -1;
  }
  branches[0].tabIndex = 0;
  list.addEventListener("keydown", onTreeKey);
  list.addEventListener("click", (event) => {
    if (event.target.closest(".twist")) toggleBranch(event.target.closest(".row"));
  });
  byId("contents").addEventListener("toggle", () => byId("contents").open && fillContents());
}

function share() {
  const drawing = makeSvg("svg", { class: "share", "aria-hidden": "true" });
  drawing.append(makeSvg("rect", { width: "100%", height: 8 }), makeSvg("rect", { width: 0, height: 8 }));
  return drawing;
}

function depthOf(branch) {
  let depth = 0;
  for (let at = Number(branch.id.slice(3)); at !== null && at !== undefined; at = data.parents[at]) depth++;
  return depth;
}

function fillContents() {
  const taken = wordsOfSections();
  for (const branch of branches) {
    const section = Number(branch.id.slice(3));
    const dense = data.words[section] ? taken[section] / data.words[section] : 0;
    const told = taken[section] ? `The summary has ${percent(dense)} of its words` : "Nothing of it is in the summary";
    const [first, bar] = [branch.querySelector("a small"), branch.querySelector(".share rect + rect")];
    first.textContent = taken[section] ? `${taken[section].toLocaleString("en")} of ${counted(data.words[section], "word")}` : `none of ${counted(data.words[section], "word")}`;
    bar.setAttribute("width", `${100 * Math.min(1, Math.sqrt(dense))}%`);
    branch.title = told;
  }
}

function percent(part) {
  return part < 0.095 ? `${(100 * part).toFixed(1)}%` : `${Math.round(100 * part)}%`;
}

function toggleBranch(branch, open = branch.getAttribute("aria-expanded") === "false") {
  if (branch.hasAttribute("aria-expanded")) branch.setAttribute("aria-expanded", open);
}

function onTreeKey(event) {
  const at = event.target.closest("[role='treeitem']");
  if (!at || event.ctrlKey || event.altKey || event.metaKey) return;
  const above = (branch) => branch.parentElement.parentElement.closest("li")?.firstElementChild;
  const hidden = (branch) => above(branch) && (above(branch).getAttribute("aria-expanded") === "false" || hidden(above(branch)));
  const seen = branches.filter((branch) => !hidden(branch));
  const open = at.getAttribute("aria-expanded");
  const near = (by) => seen[seen.indexOf(at) + by];
  const moves = {
    ArrowDown: () => near(1),
    ArrowUp: () => near(-1),
    Home: () => seen[0],
    End: () => seen.at(-1),
    ArrowRight: () => (open === "false" ? toggleBranch(at, true) : open && near(1)),
    ArrowLeft: () => (open === "true" ? toggleBranch(at, false) : above(at)),
    Enter: () => at.querySelector("a").click(),
    "+": () => data.dense && doseSection(Number(at.id.slice(3)), 1),
    "-": () => data.dense && doseSection(Number(at.id.slice(3)), -1),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  const next = moves[event.key]();
  if (!next?.focus) return;
  at.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function goToSection(section) {
  jump(() => {
    showView("document");
    bringTo(byId(`sec-${section}`), "start");
  });
  byId("contents").open = false;
}

// ---- The rail: marks for sources and omitted parts along the whole document ----

function layRail() {
  rail.id = "rail";
  rail.setAttribute("aria-hidden", "true");
  document.querySelector("main").append(rail);
  rail.addEventListener("click", (event) => {
    const height = event.clientY - rail.getBoundingClientRect().top;
    const near = railMarks.filter(({ mark }) => !mark.hidden && Math.abs(mark.offsetTop - height) < 8);
    near.sort((one, other) => Math.abs(one.mark.offsetTop - height) - Math.abs(other.mark.offsetTop - height));
    if (near.length) goToSource(near[0].index);
    else documentPane.scrollTop = (height / rail.clientHeight) * documentPane.scrollHeight - documentPane.clientHeight / 2;
  });
}

// Sections that have not been laid out get an estimated height, by the length of their text.
function estimateHeights() {
  const line = 26;
  const letters = 88;
  for (const part of document.querySelectorAll(".part")) {
    const lines = Math.ceil(part.textContent.length / letters) + part.childElementCount;
    part.style.containIntrinsicHeight = `auto ${lines * line}px`;
  }
}

function drawRail() {
  if (narrow.matches) return;
  const whole = documentPane.scrollHeight;
  const top = documentPane.getBoundingClientRect().top - documentPane.scrollTop;
  const at = (element) => `${(100 * (element.getBoundingClientRect().top - top)) / whole}%`;
  // Measuring a sentence would lay out its section; the share of the text before it needs no layout.
  const places = new Map();
  const placeOf = (source) => {
    const mark = sourceMarks.get(source);
    const part = mark.closest(".part");
    if (!places.has(part)) places.set(part, part.getBoundingClientRect());
    const box = places.get(part);
    return `${(100 * (box.top - top + box.height * shareBefore(part, source))) / whole}%`;
  };
  rail.replaceChildren();
  railMarks = [];
  data.sentences.forEach((sentence, index) => {
    if (!sentence.sources.length) return;
    const mark = rail.appendChild(make("i"));
    mark.style.top = placeOf(sentence.sources[0]);
    mark.hidden = !isShown(index);
    mark.classList.toggle("current", index === state.current);
    railMarks.push({ mark, index });
  });
  for (const gap of document.querySelectorAll(".omitted")) {
    if (gap.closest(".part")) continue;
    rail.appendChild(make("i", "gap")).style.top = at(gap);
  }
}

const marksOfPart = new Map();

function shareBefore(part, source) {
  if (!marksOfPart.has(part)) {
    const length = part.textContent.length || 1;
    const shares = new Map();
    let before = 0;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const mark = walker.currentNode.parentElement.closest(".source");
      const id = mark && Number(mark.id.slice(2));
      if (mark && !shares.has(id)) shares.set(id, before / length);
      before += walker.currentNode.data.length;
    }
    marksOfPart.set(part, shares);
  }
  return marksOfPart.get(part).get(source) ?? 0;
}

// ---- Length: which sentences are shown, for the whole document and for single sections ----

const numberMarks = items.map((item) => item.querySelector(".number"));
const sourceMarks = new Map([...document.querySelectorAll(".source")].map((mark) => [Number(mark.id.slice(2)), mark]));
const groupItems = groups.map((group) => [...group.querySelectorAll("li[id^='k-']")]);
const MOST_FRESH = 30; // sentences that light up at once; more would only flicker
let shown = [];
let on = new Set();

function rungOf(section) {
  for (let at = section; at !== null && at !== undefined; at = data.parents[at]) {
    if (state.doses.has(at)) return state.doses.get(at);
  }
  return state.rung;
}

function isShown(index) {
  return on.has(index);
}

// The sentences at the lengths of the whole and of sections, after keeping and dropping.
function selected() {
  const asked = (sentence) => sentence.rungs.includes(state.doses.size ? rungOf(sentence.section) : state.rung);
  const chosen = new Set(items.keys());
  for (const index of chosen) if (!asked(data.sentences[index])) chosen.delete(index);
  return adapted(chosen);
}

// The sentence with the same words at the current length, if there is one.
function standIn(index) {
  if (index < 0 || isShown(index)) return index;
  const { alike } = data.sentences[index];
  return shown.find((other) => data.sentences[other].alike === alike) ?? -1;
}

function showLength(rung, doses = state.doses) {
  const known = new Set(shown.map((index) => data.sentences[index].alike));
  const anchor = anchored();
  Object.assign(state, { rung, doses });
  on = selected();
  const numbers = new Array(items.length).fill(0);
  shown = [];
  items.forEach((item, index) => {
    item.hidden = !isShown(index);
    if (item.hidden) return;
    shown.push(index);
    numbers[index] = shown.length;
    numberMarks[index].textContent = shown.length;
  });
  const fresh = known.size ? shown.filter((index) => !known.has(data.sentences[index].alike)) : [];
  const few = new Set(fresh.length <= MOST_FRESH ? fresh : []);
  items.forEach((item, index) => item.classList.toggle("fresh", few.has(index)));
  equipLater();
  groups.forEach((group, place) => (group.hidden = groupItems[place].every((item) => item.hidden)));
  byId("nothing").hidden = shown.length > 0;
  const stays = standIn(state.current);
  if (stays !== state.current) choose(stays);
  markSources(numbers);
  shareOut();
  nameLength();
  if (anchor) anchor();
}

// The controls of each sentence are added when the browser is idle.
function equipLater() {
  const next = shown.find((index) => !items[index].querySelector(".tools"));
  if (next === undefined) return;
  const equip = (deadline) => {
    const left = shown.filter((index) => !items[index].querySelector(".tools"));
    for (const index of left) {
      equipItem(index);
      if (deadline.timeRemaining?.() < 4) return equipLater();
    }
  };
  if (window.requestIdleCallback) requestIdleCallback(equip);
  else setTimeout(equip, 50, {});
}

function equipItem(index) {
  if (!items[index].querySelector(".tools")) addTools(items[index], index);
}

// Keeps the topmost visible sentence in place while others appear and disappear above it.
function anchored() {
  if (narrow.matches || summaryPane.scrollTop === 0) return null;
  const top = summaryPane.getBoundingClientRect().top + 48;
  const index = shown.find((each) => items[each].getBoundingClientRect().bottom > top);
  if (index === undefined) return null;
  const offset = items[index].getBoundingClientRect().top;
  return () => {
    const stays = standIn(index);
    if (stays >= 0) summaryPane.scrollTop += items[stays].getBoundingClientRect().top - offset;
  };
}

function shownWords() {
  return shown.reduce((total, index) => total + data.sentences[index].words, 0);
}

function nameLength() {
  const slider = byId("length");
  if (!slider) return;
  const rung = data.rungs[state.rung];
  const changed = state.doses.size > 0 || isAdapted();
  const words = counted(shownWords(), "word");
  byId("reached").textContent = changed ? `${words} · adapted` : rung.label;
  byId("ends").textContent = rung.ends;
  slider.value = state.rung;
  slider.setAttribute("aria-valuetext", changed ? `${words}, adapted from ${rung.name}` : rung.spoken);
}

function markSources(numbers) {
  for (const mark of sourceMarks.values()) mark.classList.remove("used");
  for (const badge of badges) {
    const number = numbers[badge.dataset.k];
    badge.hidden = !number;
    badge.textContent = number || "";
    badge.setAttribute("aria-label", `Summary sentence ${number}`);
  }
  for (const index of shown) {
    for (const source of data.sentences[index].sources) sourceMarks.get(source).classList.add("used");
  }
}

// ---- Density: a section may be summarized at another length than the rest ----

function doseSection(section, by) {
  const rung = Math.min(Math.max(rungOf(section) + by, 0), data.rungs.length - 1);
  const doses = new Map(state.doses);
  for (const other of doses.keys()) if (isWithin(other, section)) doses.delete(other);
  const above = data.parents[section];
  const plain = above === null || above === undefined ? state.rung : rungOf(above);
  if (rung !== plain) doses.set(section, rung);
  showLength(state.rung, doses);
  rememberState();
  say(`${sectionName(section)}: as in the summary of ${data.rungs[rung].name}. ${counted(shownWords(), "word")} in all.`);
}

function isWithin(section, other) {
  for (let at = section; at !== null && at !== undefined; at = data.parents[at]) if (at === other) return true;
  return false;
}

function doseButtons(section) {
  const dose = make("span", "dose");
  const less = makeButton("−", `Less of ${sectionName(section)}`, () => doseSection(section, -1));
  const more = makeButton("+", `More of ${sectionName(section)}`, () => doseSection(section, 1));
  dose.dataset.section = section;
  dose.append(less, more);
  return dose;
}

function nameDoses() {
  for (const dose of document.querySelectorAll(".dose")) {
    const section = Number(dose.dataset.section);
    const rung = rungOf(section);
    dose.classList.toggle("set", state.doses.has(section));
    dose.firstChild.disabled = rung === 0;
    dose.lastChild.disabled = rung === data.rungs.length - 1;
  }
}

function addDoses() {
  if (!data.dense) return;
  for (const heading of document.querySelectorAll(".group h3[data-section]")) {
    heading.append(doseButtons(Number(heading.dataset.section)));
  }
}

"use strict";
// Sorts and searches the examples, and marks the differences between two systems. All numbers and texts
// are taken from the page, which can be read without scripts.
(() => {
  const PARTNER = 0.5; // share of words from which on two sentences are told apart word by word
  const byId = (id) => document.getElementById(id);
  const list = byId("examples");
  const examples = [...list.children];
  const controls = ["order", "whose", "rising", "first", "second", "all", "search"].map(byId);
  const [order, whose, rising, first, second, all, search] = controls;
  const names = [...first.options].map((option) => option.text);
  const said = examples.map((example) =>
    [...example.querySelectorAll("bdi, .texts p")].map(({ textContent }) => textContent).join(" ").toLowerCase());
  const values = examples.map((example) =>
    [...example.querySelectorAll(".own tr")].slice(1).map((row) =>
      [...row.cells].slice(1).map(({ textContent }) =>
        textContent ? Number(textContent.replace("−", "-")) : NaN)));
  const shownFor = new WeakMap();

  document.documentElement.classList.add("js");
  if (names.length < 2) {
    for (const control of [first, second, all]) control.closest("label").hidden = true;
    document.querySelector(".key").hidden = true;
    whose.options[0].remove();
  }
  for (const control of controls) control.addEventListener("input", update);
  list.addEventListener("toggle", ({ target }) => target.open && compare(target), true);
  document.addEventListener("keydown", step);
  window.addEventListener("hashchange", follow);
  update();
  follow();

  function update() {
    sort();
    filter();
    for (const example of examples) if (example.open) compare(example);
  }

  // ---- Order and search ----

  function valueOf(place) {
    const score = Number(order.value);
    if (whose.value !== "lead") return values[place][whose.value][score];
    return values[place][first.value][score] - values[place][second.value][score];
  }

  function sort() {
    const keys = examples.map((_, place) => (order.value === "" ? place : valueOf(place)));
    const sign = order.value === "" || rising.checked ? 1 : -1;
    const places = examples.map((_, place) => place);
    places.sort((a, b) => {
      if (isNaN(keys[a]) || isNaN(keys[b])) return isNaN(keys[a]) - isNaN(keys[b]) || a - b;
      return sign * (keys[a] - keys[b]) || a - b;
    });
    list.append(...places.map((place) => examples[place]));
    examples.forEach((example, place) => {
      example.querySelector(".sorted").textContent = order.value === "" ? "" : told(place);
    });
  }

  function told(place) {
    const score = Number(order.value);
    const systems = all.checked || names.length < 2 ? names.keys() : [+first.value, +second.value];
    const parts = [...systems].map((system) => `${names[system]} ${shown(values[place][system][score])}`);
    return `${order.selectedOptions[0].text}: ${parts.join(" · ")}`;
  }

  function shown(value) {
    return isNaN(value) ? "none" : value.toFixed(2).replace("-", "−");
  }

  function filter() {
    const wanted = search.value.trim().toLowerCase();
    let count = 0;
    examples.forEach((example, place) => {
      example.hidden = wanted !== "" && !said[place].includes(wanted);
      if (!example.hidden) count += 1;
    });
    byId("found").textContent = `${count} of ${examples.length} shown.`;
  }

  // ---- Two systems side by side ----

  function compare(example) {
    const pair = all.checked ? "" : `${first.value} ${second.value}`;
    if (shownFor.get(example) === pair) return;
    shownFor.set(example, pair);
    const texts = [...example.querySelectorAll(".system")];
    for (const text of texts) {
      text.hidden = !all.checked && ![first.value, second.value].includes(text.dataset.system);
      text.style.order = !all.checked && text.dataset.system === second.value ? 1 : 0;
      for (const sentence of text.querySelectorAll("span")) clear(sentence);
    }
    if (all.checked || first.value === second.value) return;
    const [one, other] = [first, second].map(({ value }) =>
      texts.find((text) => text.dataset.system === value));
    differences(one, other);
  }

  function clear(sentence) {
    sentence.className = "";
    if (sentence.firstElementChild) sentence.textContent = sentence.textContent;
  }

  function differences(one, other) {
    const [left, right] = [one, other].map((text) => [...text.querySelectorAll("span")]);
    const inRight = new Set(right.map(plain));
    const inLeft = new Set(left.map(plain));
    const only = left.filter((sentence) => !inRight.has(plain(sentence)));
    const rest = right.filter((sentence) => !inLeft.has(plain(sentence)));
    const partnered = new Set();
    for (const sentence of only) {
      const partner = closest(sentence, rest.filter((each) => !partnered.has(each)));
      if (!partner) {
        sentence.className = "alone";
        continue;
      }
      partnered.add(partner);
      markWords(sentence, partner);
    }
    for (const sentence of rest) if (!partnered.has(sentence)) sentence.className = "alone";
  }

  function plain(sentence) {
    return sentence.textContent.trim().toLowerCase();
  }

  function wordsOf(sentence) {
    return sentence.textContent.split(/(\s+)/).filter((part) => part !== "");
  }

  function closest(sentence, others) {
    const own = new Set(plain(sentence).split(/\s+/));
    let best = null;
    let most = PARTNER;
    for (const other of others) {
      const words = new Set(plain(other).split(/\s+/));
      let shared = 0;
      for (const word of words) if (own.has(word)) shared += 1;
      const share = (2 * shared) / (own.size + words.size);
      if (share > most) [best, most] = [other, share];
    }
    return best;
  }

  // The words outside a longest common subsequence are marked.
  function markWords(one, other) {
    const [left, right] = [wordsOf(one), wordsOf(other)];
    const [a, b] = [left, right].map((words) => words.map((word) => word.toLowerCase()));
    const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) {
        longest[i][j] = a[i] === b[j]
          ? longest[i + 1][j + 1] + 1
          : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    const kept = [new Set(), new Set()];
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      if (a[i] === b[j]) {
        kept[0].add(i++);
        kept[1].add(j++);
      } else if (longest[i + 1][j] >= longest[i][j + 1]) i += 1;
      else j += 1;
    }
    show(one, left, kept[0]);
    show(other, right, kept[1]);
  }

  function show(sentence, words, kept) {
    sentence.replaceChildren(...words.map((word, place) => {
      if (kept.has(place) || word.trim() === "") return document.createTextNode(word);
      const mark = document.createElement("mark");
      mark.textContent = word;
      return mark;
    }));
  }

  // ---- Keys and addresses ----

  function step(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "/") {
      event.preventDefault();
      search.focus();
    }
    if (event.key !== "n" && event.key !== "p") return;
    const open = [...list.children].filter((example) => !example.hidden);
    const at = open.indexOf(event.target.closest(".example"));
    const to = at < 0 ? open[0] : open[at + (event.key === "n" ? 1 : -1)];
    if (!to) return;
    to.querySelector("summary").focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest" });
  }

  function follow() {
    const example = examples.find(({ id }) => `#${id}` === location.hash);
    if (example) example.open = true;
  }
})();

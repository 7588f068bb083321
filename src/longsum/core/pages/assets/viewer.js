"use strict";
// Enhances a page that reads without it: the length slider, the way from a sentence to its source
// and back, the reasons, the reading view, the section map's shades and labels, and an address that
// leads back to what is selected. Data reaches the page as text only.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LIGHTEST_SHADE = 0.1;
  const DARKEST_SHADE = 0.45; // the labels on it stay readable
  const LABEL_MARGIN = 5; // pixels on either side of a section's label
  const METHODS = {
    copied: "Its source has the same words.",
    aligned: "Its source was found by its words.",
    attention: "The model attended to its source while it wrote.",
    cited: "The model cited its source.",
  };

  const data = JSON.parse(byId("data").textContent);
  const items = data.sentences.map((_, index) => byId(`k-${index}`));
  const groups = [...document.querySelectorAll(".group")];
  const badges = [...document.querySelectorAll(".badge")];
  const ticks = [...document.querySelectorAll(".tick")];
  const cells = [...document.querySelectorAll(".map > svg > a")];
  const cellNames = cells.map((cell) => cell.getAttribute("aria-label"));
  const slider = byId("length");
  const scale = shareScale();
  const scrolled = { summary: 0, document: 0 };
  let shownRung = data.start;
  let current = -1;

  document.documentElement.classList.add("js");
  document.documentElement.dataset.view = "summary";
  if (slider) byId("slider").hidden = data.rungs.length < 2;
  showRung(data.start);
  listen();
  new ResizeObserver(fitLabels).observe(document.querySelector(".map"));
  followAddress();

  function byId(id) {
    return document.getElementById(id);
  }

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function makeSvg(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  // ---- The length ----

  function isShown(index) {
    return isOn(index, shownRung);
  }

  function isOn(index, rung) {
    return data.sentences[index].rung <= rung && rung <= data.sentences[index].last;
  }

  function showRung(rung) {
    const before = new Set(data.sentences.filter((_, index) => isShown(index)).map(({ alike }) => alike));
    shownRung = rung;
    let number = 0;
    const numbers = items.map((_, index) => (isShown(index) ? ++number : 0));
    items.forEach((item, index) => {
      item.hidden = !isShown(index);
      if (item.hidden) return;
      item.querySelector(".number").textContent = numbers[index];
      item.classList.toggle("fresh", !before.has(data.sentences[index].alike));
      if (!item.querySelector(".tools")) addTools(item, index);
    });
    for (const group of groups) group.hidden = !group.querySelector("li:not([hidden])");
    byId("nothing").hidden = number > 0;
    if (current >= 0 && !isShown(current)) choose(-1);
    markSources(numbers);
    shadeMap();
    nameLength();
  }

  function nameLength() {
    if (!slider) return;
    const rung = data.rungs[shownRung];
    byId("reached").textContent = rung.label;
    byId("ends").textContent = (shownRung === data.start ? "as you asked · " : "") + rung.ends;
    slider.value = shownRung;
    slider.setAttribute("aria-valuetext", rung.label);
  }

  function markSources(numbers) {
    for (const source of document.querySelectorAll(".source.used")) source.classList.remove("used");
    for (const badge of badges) {
      const number = numbers[badge.dataset.k];
      badge.hidden = !number;
      badge.textContent = number || "";
      badge.setAttribute("aria-label", `Summary sentence ${number}`);
    }
    numbers.forEach((number, index) => {
      if (!number) return;
      for (const source of data.sentences[index].sources) byId(`s-${source}`).classList.add("used");
    });
  }

  // ---- The section map ----

  function shadeMap() {
    const drawn = new Array(cells.length).fill(0);
    let total = 0;
    data.sentences.forEach((sentence, index) => {
      if (!isShown(index)) return;
      total += sentence.words;
      for (const cell of sentence.cells) drawn[cell] += sentence.words;
    });
    cells.forEach((cell, index) => {
      const share = total ? drawn[index] / total : 0;
      const name = `${cellNames[index]}, ${Math.round(100 * share)}% of the summary`;
      const shade = LIGHTEST_SHADE + (DARKEST_SHADE - LIGHTEST_SHADE) * Math.sqrt(share);
      cell.querySelector("rect").style.fillOpacity = shade;
      cell.querySelector("title").textContent = name;
      cell.setAttribute("aria-label", name);
    });
    for (const tick of ticks) tick.classList.toggle("off", !isShown(tick.dataset.k));
  }

  // As many whole words as the cell has room for; else the section's number; else nothing.
  function fitLabels() {
    for (const cell of cells) {
      const text = cell.querySelector("text");
      const room = cell.querySelector("rect").getBoundingClientRect().width - 2 * LABEL_MARGIN;
      const words = (text.dataset.label || "").split(" ");
      const fits = (label) => {
        text.textContent = label;
        return text.getComputedTextLength() <= room;
      };
      const cut = (count) => words.slice(0, count).join(" ") + (count > 1 && count < words.length ? "\u2026" : "");
      let count = words.length;
      while (count && !fits(cut(count))) count--;
      if (!count) text.textContent = "";
    }
  }

  // ---- Why a sentence was chosen ----

  function shareScale() {
    let [least, most] = [0, 0];
    for (const { shares } of data.sentences) {
      most = Math.max(most, shares.reduce((total, share) => total + Math.max(share, 0), 0));
      least = Math.min(least, shares.reduce((total, share) => total + Math.min(share, 0), 0));
    }
    return { least, width: most - least || 1 };
  }

  function written(number) {
    return number.toFixed(data.digits).replace("-", "\u2212");
  }

  function addTools(item, index) {
    const sentence = data.sentences[index];
    const tools = make("div", "tools");
    if (sentence.shares.some((share) => share !== null)) tools.append(why(sentence));
    if (sentence.page !== null) tools.append(make("span", "page", `p. ${sentence.page}`));
    const copy = make("button", "copy", "Copy");
    copy.type = "button";
    copy.title = "Copy the sentence with its citation";
    copy.setAttribute("aria-label", copy.title);
    tools.append(copy);
    item.append(tools);
  }

  function why(sentence) {
    const named = data.reasons
      .map((name, place) => ({ name, share: sentence.shares[place], colour: place % data.colours }))
      .filter(({ share }) => share !== null);
    const details = make("details", "why");
    const summary = make("summary");
    const shares = named.map(({ name, share }) => `${name} ${written(share)}`).join(", ");
    summary.setAttribute("aria-label", `Score ${written(sentence.score)}: ${shares}`);
    summary.title = shares;
    summary.append(bar(named), make("span", "score", written(sentence.score)));
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (details.querySelector("table")) return;
      details.append(shareTable(sentence, named), choice(sentence));
      details.append(...sentence.notes.map((note) => make("p", "", note)));
    });
    return details;
  }

  function bar(named) {
    const percent = (share) => `${(100 * share) / scale.width}%`;
    const drawing = makeSvg("svg", { class: "bar", "aria-hidden": "true" });
    let [left, right] = [-scale.least, -scale.least];
    for (const { share, colour } of named) {
      if (share < 0) left += share;
      const x = share < 0 ? left : right;
      if (share > 0) right += share;
      const width = percent(Math.abs(share));
      drawing.append(makeSvg("rect", { x: percent(x), width, height: 8, class: `reason-${colour}` }));
    }
    drawing.append(makeSvg("rect", { x: percent(-scale.least), y: -2, width: 1, height: 12, class: "zero" }));
    return drawing;
  }

  function shareTable(sentence, named) {
    const table = make("table");
    for (const { name, share, colour } of [...named, { name: "score", share: sentence.score }]) {
      const row = table.insertRow();
      const head = make("th", "", name);
      head.scope = "row";
      if (data.meanings[name]) head.title = data.meanings[name];
      row.append(head, make("td", "", written(share)));
      if (colour === undefined) continue;
      const swatch = makeSvg("svg", { class: "swatch", "aria-hidden": "true" });
      swatch.append(makeSvg("rect", { width: "100%", height: "100%", class: `reason-${colour}` }));
      head.prepend(swatch);
    }
    return table;
  }

  function choice(sentence) {
    const copied = sentence.shares[data.reasons.indexOf("copied")] > 0;
    if (copied || sentence.method !== "copied") return make("p", "", METHODS[sentence.method]);
    const note = make("p", "", `Chosen as number ${sentence.step + 1}`);
    if (sentence.runnerUp !== null) {
      const link = make("a", "", "this sentence");
      link.href = `#s-${sentence.runnerUp}`;
      link.addEventListener("click", (event) => {
        event.preventDefault();
        showSource([sentence.runnerUp]);
      });
      note.append(", ahead of ", link);
    }
    note.append(".");
    return note;
  }

  // ---- From a sentence to its source and back ----

  function choose(index) {
    for (const marked of document.querySelectorAll(".current")) marked.classList.remove("current");
    current = index;
    rememberSelection();
    if (index < 0) return;
    items[index].classList.add("current");
    for (const tick of ticks) tick.classList.toggle("current", Number(tick.dataset.k) === index);
  }

  // ---- The address ----

  function rememberSelection() {
    const parts = [];
    if (current >= 0) parts.push(`k-${current}`);
    if (shownRung !== data.start) parts.push(`length-${shownRung}`);
    const page = location.href.split("#")[0];
    history.replaceState(null, "", parts.length ? `${page}#${parts.join(",")}` : page);
  }

  function followAddress() {
    const named = /^#(?:k-(\d+))?,?(?:length-(\d+))?$/.exec(location.hash);
    if (!named) return;
    const index = named[1] === undefined ? -1 : Number(named[1]);
    let rung = named[2] === undefined ? data.start : Number(named[2]);
    if (rung >= data.rungs.length || index >= items.length) return;
    if (index >= 0 && !isOn(index, rung)) rung = data.sentences[index].rung;
    showRung(rung);
    if (index >= 0) goToSentence(index);
  }

  function showView(view) {
    const root = document.documentElement;
    if (root.dataset.view === view) return;
    scrolled[root.dataset.view] = window.scrollY;
    root.dataset.view = view;
    window.scrollTo(0, scrolled[view]);
    for (const button of document.querySelectorAll(".tabs button")) {
      button.setAttribute("aria-pressed", button.dataset.view === view);
    }
  }

  function bringTo(element, block) {
    element.scrollIntoView({ block });
    // Text laid out on the way moves what lies behind it; the second look corrects for that.
    requestAnimationFrame(() => element.scrollIntoView({ block }));
  }

  function showSource(sources) {
    for (const marked of document.querySelectorAll(".source.current")) marked.classList.remove("current");
    if (!sources.length) return null;
    const elements = sources.map((source) => byId(`s-${source}`));
    for (const element of elements) element.classList.add("current");
    showView("document");
    bringTo(elements[0], "center");
    return elements[0];
  }

  function goToSource(index) {
    choose(index);
    const { sources } = data.sentences[index];
    if (!sources.length) return;
    showSource(sources);
    const paragraph = byId(`s-${sources[0]}`).parentElement;
    paragraph.querySelector(`.badge[data-k="${index}"]`).focus({ preventScroll: true });
  }

  function goToSentence(index) {
    choose(index);
    showSource(data.sentences[index].sources);
    showView("summary");
    items[index].querySelector(".say").focus({ preventScroll: true });
    bringTo(items[index], "center");
  }

  function step(by) {
    let next = current < 0 && by < 0 ? items.length : current;
    do next += by;
    while (next >= 0 && next < items.length && !isShown(next));
    if (next < 0 || next >= items.length) return;
    choose(next);
    showView("summary");
    items[next].querySelector(".say").focus({ preventScroll: true });
    items[next].scrollIntoView({ block: "nearest" });
  }

  // Shows the sources of shortened sentences with what was left out struck through, or hides them.
  function showDeletions() {
    const shown = document.documentElement.classList.toggle("with-deletions");
    byId("whole").setAttribute("aria-pressed", shown);
  }

  // ---- Copying ----

  function textOf(index) {
    return items[index].querySelector(".text").textContent;
  }

  function copy(index, button) {
    const quoted = `“${textOf(index)}” ${data.sentences[index].citation}`.trim();
    return put(quoted, button, "Copied with its citation.");
  }

  // What is shown, a paragraph a section or question; with citations unless it is read without marks.
  function copyAll(button) {
    const paragraphs = groups.map((group) => {
      const shown = [...group.querySelectorAll("li:not([hidden])")].map((item) => items.indexOf(item));
      const cited = new Set(isPlain() ? [] : shown.map((index) => data.sentences[index].citation));
      const question = group.closest(".node")?.querySelector(".asks").textContent;
      const text = [...shown.map(textOf), ...cited].filter(Boolean).join(" ");
      return question ? `${question}\n${text}`.trim() : text;
    });
    return put(paragraphs.filter(Boolean).join("\n\n"), button, "The summary was copied.");
  }

  async function put(text, button, said) {
    const name = button.textContent;
    button.disabled = true;
    const done = await write(text);
    byId("status").textContent = done ? said : "Copying is not allowed here.";
    button.textContent = done ? "Copied" : "Not allowed";
    setTimeout(() => {
      button.textContent = name;
      button.disabled = false;
    }, 1500);
  }

  // ---- Reading without marks ----

  function isPlain() {
    return document.documentElement.classList.contains("plain");
  }

  function setPlain(plain) {
    document.documentElement.classList.toggle("plain", plain);
    byId("plain").setAttribute("aria-pressed", plain);
  }

  async function write(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.body.appendChild(make("textarea", "off-screen", text));
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  }

  // ---- Listening ----

  function listen() {
    slider?.addEventListener("input", () => {
      showRung(Number(slider.value));
      rememberSelection();
    });
    byId("plain").addEventListener("click", () => setPlain(!isPlain()));
    byId("whole")?.addEventListener("click", showDeletions);
    byId("copy-all").addEventListener("click", (event) => copyAll(event.currentTarget));
    window.addEventListener("hashchange", followAddress);
    byId("sentences").addEventListener("click", onSummaryClick);
    document.querySelector("article").addEventListener("click", onDocumentClick);
    document.querySelector(".tabs").addEventListener("click", (event) => {
      if (event.target.dataset.view) showView(event.target.dataset.view);
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#sec-"]');
      if (!link) return;
      event.preventDefault();
      showView("document");
      bringTo(byId(link.getAttribute("href").slice(1)), "start");
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "n") step(1);
      if (event.key === "p") step(-1);
    });
    document.querySelector(".map").addEventListener("keydown", onMapKey);
    cells.slice(1).forEach((cell) => cell.setAttribute("tabindex", "-1"));
  }

  function onSummaryClick(event) {
    const item = event.target.closest("li[id^='k-']");
    if (!item) return;
    const index = items.indexOf(item);
    const button = event.target.closest(".copy");
    if (button) copy(index, button);
    if (!event.target.closest(".say")) return;
    event.preventDefault();
    if (window.getSelection().isCollapsed) goToSource(index);
  }

  function onDocumentClick(event) {
    if (!window.getSelection().isCollapsed) return;
    const badge = event.target.closest(".badge");
    const source = event.target.closest(".source.used");
    const id = source && Number(source.id.slice(2));
    const uses = (sentence, index) => isShown(index) && sentence.sources.includes(id);
    const index = badge ? Number(badge.dataset.k) : source ? data.sentences.findIndex(uses) : -1;
    if (index < 0) return;
    event.preventDefault();
    goToSentence(index);
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
})();

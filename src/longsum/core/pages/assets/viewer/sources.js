// ---- From a sentence to its source and back ----

function choose(index) {
  for (const marked of document.querySelectorAll(".current")) marked.classList.remove("current");
  state.current = index;
  rememberState();
  if (index < 0) return;
  equipItem(index);
  items[index].classList.add("current");
  for (const { mark, index: of } of railMarks) mark.classList.toggle("current", of === index);
}

function showView(view) {
  if (state.view === view) return;
  const root = document.documentElement;
  state[`${state.view}Scrolled`] = window.scrollY;
  state.view = view;
  root.dataset.view = view;
  if (narrow.matches) window.scrollTo(0, state[`${view}Scrolled`] ?? 0);
  for (const button of document.querySelectorAll(".tabs button")) {
    button.setAttribute("aria-pressed", button.dataset.view === view);
  }
}

function bringTo(element, block) {
  element.scrollIntoView({ block });
  // Text that is laid out during the scroll moves what follows it, so the position is corrected once.
  requestAnimationFrame(() => element.scrollIntoView({ block }));
}

function lightUp(sources) {
  for (const marked of document.querySelectorAll(".source.current")) marked.classList.remove("current");
  for (const source of sources) sourceMarks.get(source)?.classList.add("current");
}

function showSource(sources) {
  lightUp(sources);
  if (!sources.length) return;
  showView("document");
  bringTo(sourceMarks.get(sources[0]), "center");
}

function goToSource(index) {
  choose(index);
  const { sources } = data.sentences[index];
  if (!sources.length) return;
  jump(() => showSource(sources), index);
  const badge = badges.find((each) => Number(each.dataset.k) === index && !each.hidden);
  badge?.focus({ preventScroll: true });
  say(`Source of sentence ${shown.indexOf(index) + 1}, ${data.sentences[index].citation}. Press b to go back.`);
}

function goToEvidence(sentence) {
  jump(() => showSource([sentence]));
}

function goToSentence(index) {
  const last = state.trail.at(-1);
  if (last?.current === index && last.rung === state.rung) {
    goBack();
    return;
  }
  jump(() => {
    choose(index);
    lightUp(data.sentences[index].sources);
    showView("summary");
    sayOf(index).focus({ preventScroll: true });
    bringTo(items[index], "center");
  });
}

function step(by) {
  const at = shown.indexOf(state.current);
  const next = shown[at < 0 && by < 0 ? shown.length - 1 : at + by];
  if (next === undefined) return;
  choose(next);
  lightUp(data.sentences[next].sources);
  showView("summary");
  sayOf(next).focus({ preventScroll: true });
  items[next].scrollIntoView({ block: "nearest" });
}

// ---- The way back: every jump remembers the position before it, to the pixel ----

function places() {
  return {
    current: state.current,
    rung: state.rung,
    doses: [...state.doses],
    view: state.view,
    summary: summaryPane.scrollTop,
    document: documentPane.scrollTop,
    window: window.scrollY,
  };
}

function jump(act, index = state.current) {
  const left = { ...places(), current: index };
  state.trail.push(left);
  history.replaceState(left, "");
  act();
  history.pushState(places(), "", address());
  byId("back").hidden = false;
}

function goBack() {
  const left = state.trail.pop();
  byId("back").hidden = state.trail.length === 0;
  if (!left) return;
  restore(left);
  history.replaceState(left, "", address());
}

function restore(left) {
  if (left.rung !== state.rung || String([...left.doses]) !== String([...state.doses])) {
    showLength(left.rung, new Map(left.doses));
  }
  choose(left.current);
  lightUp(left.current < 0 ? [] : data.sentences[left.current].sources);
  showView(left.view);
  const put = () => {
    summaryPane.scrollTop = left.summary;
    documentPane.scrollTop = left.document;
    if (narrow.matches) window.scrollTo(0, left.window);
  };
  if (left.current >= 0 && left.view === "summary") sayOf(left.current).focus({ preventScroll: true });
  put();
  requestAnimationFrame(put);
}

function addBack() {
  const back = makeButton("Back", "Back to where you were", goBack);
  back.id = "back";
  back.hidden = true;
  document.querySelector("main").append(back);
  window.addEventListener("popstate", (event) => {
    if (!event.state?.doses) return followAddress();
    state.trail.pop();
    byId("back").hidden = state.trail.length === 0;
    restore(event.state);
  });
}

// ---- Clicks ----

function onSummaryClick(event) {
  const evidence = event.target.closest(".evidence");
  const item = event.target.closest("li[id^='k-']");
  if (item && items.indexOf(item) !== state.current) choose(items.indexOf(item));
  if (evidence) {
    event.preventDefault();
    goToEvidence(Number(evidence.hash.slice(3)));
    return;
  }
  if (!item || !event.target.closest(".say")) return;
  event.preventDefault();
  hidePreview();
  if (window.getSelection().isCollapsed) goToSource(items.indexOf(item));
}

function onDocumentClick(event) {
  if (!window.getSelection().isCollapsed) return;
  const badge = event.target.closest(".badge");
  const source = event.target.closest(".source.used");
  const index = badge ? Number(badge.dataset.k) : source ? usesOf(source)[0] ?? -1 : -1;
  if (index < 0) return;
  event.preventDefault();
  hidePreview();
  goToSentence(index);
}

function usesOf(source) {
  const id = Number(source.id.slice(2));
  return shown.filter((index) => data.sentences[index].sources.includes(id));
}

// Shows the sources of shortened sentences with deleted words struck through, or hides them.
function showDeletions() {
  const on = document.documentElement.classList.toggle("with-deletions");
  byId("whole").setAttribute("aria-pressed", on);
}

// ---- The keyboard ----

const withCurrent = (act) => () => state.current >= 0 && act(state.current);
const KEYS = [
  ["n", "j", "Next sentence", () => step(1)],
  ["p", "k", "Sentence before", () => step(-1)],
  ["Enter", "", "To the source, and from there back", null],
  ["b", "", "Back to where you were", goBack],
  ["v", "", "Preview of the source", togglePreview],
  ["w", "", "Why the sentence stands here", withCurrent(toggleWhy)],
  ["c", "", "Copy the sentence with page and section", withCurrent((index) => copySentence(index, items[index].querySelector(".copy")))],
  ...(host?.editable
    ? [
        ["a", "", "Keep the sentence at every length, or stop keeping it", withCurrent((index) => mark(index, "keep"))],
        ["d", "", "Drop the sentence from the summary", withCurrent((index) => mark(index, "drop"))],
        ["e", "", "Write a note on the sentence", withCurrent(editNote)],
      ]
    : []),
  ...(host?.pictures ? [["g", "", "See the page", withCurrent((index) => data.sentences[index].page !== null && showPicture(index))]] : []),
  ["]", "+", "A longer summary", () => slide(1)],
  ["[", "-", "A shorter summary", () => slide(-1)],
  ["s", "", "Sections: arrow keys move, + and − take more or less of one", openContents],
  ["m", "", "Summary or document", switchPane],
  ["r", "", "Reading view", () => setPlain(!isPlain())],
  ["/", "", "Find", () => openFind()],
  ["?", "", "These keys", openKeys],
];

function slide(by) {
  const rung = state.rung + by;
  if (!byId("length") || rung < 0 || rung >= data.rungs.length) return;
  showLength(rung);
  rememberState();
  say(data.rungs[rung].spoken);
}

function openContents() {
  const contents = byId("contents");
  if (contents.hidden) return;
  contents.open = !contents.open;
  if (!contents.open) return;
  showView("document");
  fillContents();
  contents.querySelector("[role='treeitem'][tabindex='0']").focus();
}

function switchPane() {
  const view = documentPane.contains(document.activeElement) || (narrow.matches && state.view === "document") ? "summary" : "document";
  showView(view);
  byId(view).focus({ preventScroll: true });
}

function openKeys() {
  if (!byId("keys")) document.body.append(keysDialog());
  byId("keys").showModal();
}

function keysDialog() {
  const dialog = make("dialog");
  const list = make("dl");
  dialog.id = "keys";
  dialog.setAttribute("aria-label", "Keys");
  for (const [key, other, told] of KEYS) {
    const name = make("dt");
    name.append(make("kbd", "", key));
    if (other) name.append(" ", make("kbd", "", other));
    list.append(name, make("dd", "", told));
  }
  const close = makeButton("Close", "", () => dialog.close());
  close.className = "plainly";
  dialog.append(make("h2", "", "Keys"), list, close);
  return dialog;
}

function onKey(event) {
  if (event.key === "Escape") {
    hidePreview();
    for (const fold of document.querySelectorAll("details[open]:has(> .sheet)")) {
      fold.open = false;
      if (fold.contains(document.activeElement)) fold.querySelector("summary").focus();
    }
    return;
  }
  // Just after a dialog is closed, the focus is still in it.
  const writing = event.target.closest?.("input:not([type='range'], [type='checkbox']), textarea, select, dialog[open]");
  if (event.ctrlKey || event.altKey || event.metaKey || writing) return;
  const known = KEYS.find(([key, other]) => event.key === key || event.key === other);
  if (!known?.[3]) return;
  event.preventDefault();
  // A sentence that was reached by Tab is the one meant.
  const focused = items.indexOf(document.activeElement?.closest("#sentences li[id]"));
  if (focused >= 0 && focused !== state.current) choose(focused);
  known[3]();
}

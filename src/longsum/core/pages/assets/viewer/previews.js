// ---- Previews: the source of a sentence beside it, and the sentences that use a source ----

const PREVIEW_DELAY = 250; // milliseconds that a pointer rests before one opens
const CONTEXT = 220; // characters of the paragraph on either side of a source
const preview = make("div");
let previewTimer = 0;
let previewOwner = null;

function addPreview() {
  preview.id = "preview";
  preview.setAttribute("role", "tooltip");
  preview.hidden = true;
  document.body.append(preview);
  if (!matchMedia("(hover: hover)").matches) return;
  let rests = null;
  let at = "";
  const whereIs = (event) => `${event.clientX} ${event.clientY}`;
  const wait = () => {
    clearTimeout(previewTimer);
    previewTimer = 0;
    if (rests === preview || (rests && rests === previewOwner)) return;
    previewTimer = setTimeout(() => (rests ? showPreview(rests) : hidePreview()), PREVIEW_DELAY);
  };
  document.addEventListener("pointerover", (event) => {
    const owner = event.target.closest?.(".say, .source.used, .badge, #preview");
    // No preview opens for an element that moves under a resting pointer.
    const known = owner === preview || owner === previewOwner || owner === rests;
    rests = known || whereIs(event) !== at ? owner : null;
    wait();
  });
  document.addEventListener("pointermove", (event) => (at = whereIs(event)), { passive: true });
  // The last scroll event comes after the pointer has entered the element that is now under it.
  const scrolled = () => {
    const waited = previewTimer !== 0;
    hidePreview();
    if (waited && rests?.matches(":hover")) wait();
  };
  for (const pane of [summaryPane, documentPane]) pane.addEventListener("scroll", scrolled, { passive: true });
}

function hidePreview() {
  clearTimeout(previewTimer);
  previewTimer = 0;
  previewOwner?.removeAttribute("aria-describedby");
  previewOwner = null;
  preview.hidden = true;
  for (const mark of document.querySelectorAll(".source.near")) mark.classList.remove("near");
}

function showPreview(owner) {
  hidePreview();
  const item = owner.closest("li[id^='k-']");
  const filled = item ? sourcesOf(items.indexOf(item)) : summaryOf(owner);
  if (!filled.length) return;
  previewOwner = owner;
  owner.setAttribute("aria-describedby", "preview");
  preview.replaceChildren(...filled);
  preview.hidden = false;
  place(owner);
}

// The sources in their paragraphs, except those that are in view, which are highlighted instead.
function sourcesOf(index) {
  const parts = [];
  for (const source of data.sentences[index].sources.slice(0, 3)) {
    const mark = sourceMarks.get(source);
    mark.classList.add("near");
    if (isInView(mark)) continue;
    parts.push(make("p", "where", whereOf(mark).replace(/^\(|\)$/g, "")), inContext(mark));
  }
  return parts;
}

function summaryOf(owner) {
  const badge = owner.classList.contains("badge");
  const indexes = badge ? [Number(owner.dataset.k)] : usesOf(owner);
  return indexes.flatMap((index) => {
    const head = make("p", "where", `In the summary, sentence ${shown.indexOf(index) + 1}`);
    const text = make("p", "");
    text.append(make("mark", "", textOf(index)));
    return isInView(items[index]) ? [] : [head, text];
  });
}

function isInView(element) {
  const box = element.getBoundingClientRect();
  const pane = element.closest(".pane").getBoundingClientRect();
  return box.height > 0 && box.top >= Math.max(pane.top, 0) && box.bottom <= Math.min(pane.bottom, window.innerHeight);
}

function whereOf(mark) {
  const index = data.sentences.findIndex(({ sources }) => sources[0] === Number(mark.id.slice(2)));
  if (index >= 0) return data.sentences[index].citation;
  return sectionName(Number(mark.closest(".part").id.slice(4)));
}

// A source with the text before and after it in its paragraph.
function inContext(mark) {
  const line = make("p", "");
  let [before, after, reached] = ["", "", false];
  const walker = document.createTreeWalker(mark.closest("p"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest(".badge, .page")) continue;
    if (mark.contains(node)) reached = true;
    else if (reached) after += node.data;
    else before += node.data;
  }
  if (before.length > CONTEXT) before = `… ${before.slice(-CONTEXT).replace(/^\S*\s/, "")}`;
  if (after.length > CONTEXT) after = `${after.slice(0, CONTEXT).replace(/\s\S*$/, "")} …`;
  line.append(before, make("mark", "", mark.textContent), after);
  return line;
}

// Beside the summary if there is room, so that it covers no text; otherwise below or above the sentence.
function place(owner) {
  const box = owner.getBoundingClientRect();
  const [width, height] = [preview.offsetWidth, preview.offsetHeight];
  const edge = summaryPane.getBoundingClientRect().right;
  let left = Math.min(Math.max(box.left, 16), window.innerWidth - width - 16);
  let top = window.innerHeight - box.bottom > height + 16 || box.top < height ? box.bottom + 6 : box.top - height - 6;
  if (!narrow.matches && summaryPane.contains(owner) && window.innerWidth - edge > width + 24) {
    left = edge + 8;
    top = Math.min(box.top - 8, window.innerHeight - height - 8);
  }
  preview.style.left = `${left}px`;
  preview.style.top = `${Math.max(top, 6)}px`;
}

function togglePreview() {
  const owner = state.current >= 0 ? sayOf(state.current) : document.activeElement;
  if (!preview.hidden) hidePreview();
  else if (owner?.matches(".say, .badge")) showPreview(owner);
  if (!preview.hidden) say(preview.textContent);
}

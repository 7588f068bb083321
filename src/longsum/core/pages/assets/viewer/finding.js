// ---- Finding words in summary and document ----

const MOST_FOUND = 2000;
let found = [];
let foundAt = -1;

function openFind(words) {
  if (!byId("find")) document.querySelector("main").append(findForm());
  const field = byId("find").querySelector("input");
  byId("find").hidden = false;
  if (words !== undefined) field.value = words;
  field.focus();
  field.select();
  if (field.value) find(field.value);
}

function findForm() {
  const form = make("search");
  const field = make("input");
  const told = make("output");
  form.id = "find";
  field.type = "search";
  field.setAttribute("aria-label", "Find in summary and document");
  field.addEventListener("input", () => find(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") goToFound(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") closeFind();
  });
  form.append(field, told);
  for (const [sign, title, by] of [["↑", "The previous one", -1], ["↓", "The next one", 1]]) {
    const button = makeButton(sign, title, () => goToFound(by));
    button.className = "plainly";
    form.append(button);
  }
  const close = makeButton("✕", "Close", closeFind);
  close.className = "plainly";
  form.append(close);
  return form;
}

function closeFind() {
  byId("find").hidden = true;
  find("");
  if (state.current >= 0) sayOf(state.current).focus({ preventScroll: true });
}

function find(words) {
  const wanted = words.trim().toLowerCase();
  found = wanted ? [...rangesIn(byId("sentences"), wanted), ...rangesIn(article, wanted)].slice(0, MOST_FOUND) : [];
  foundAt = -1;
  CSS.highlights?.set("found", new Highlight(...found));
  CSS.highlights?.delete("found-current");
  byId("find").querySelector("output").textContent = !wanted ? "" : found.length ? counted(found.length, "place") : "nowhere";
  say(wanted ? `Found in ${counted(found.length, "place")}` : "");
}

// Matches may extend across elements within a paragraph, but not across paragraphs.
function* rangesIn(root, wanted) {
  for (const block of root.querySelectorAll(".text, p, h2, h3, h4, h5, h6, pre")) {
    if (block.closest("[hidden]")) continue;
    const nodes = [];
    let text = "";
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement.closest(".badge, .page")) continue;
      nodes.push([text.length, walker.currentNode]);
      text += walker.currentNode.data;
    }
    const lower = text.toLowerCase();
    if (lower.length !== text.length) continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      yield rangeOver(nodes, at, at + wanted.length);
    }
  }
}

function rangeOver(nodes, start, end) {
  const range = new Range();
  const holder = (offset) => nodes.findLast(([begins]) => begins <= offset);
  const [first, last] = [holder(start), holder(end - 1)];
  range.setStart(first[1], start - first[0]);
  range.setEnd(last[1], end - last[0]);
  return range;
}

function goToFound(by) {
  if (!found.length) return;
  foundAt = (foundAt + by + found.length) % found.length;
  const holder = found[foundAt].startContainer.parentElement;
  CSS.highlights?.set("found-current", new Highlight(found[foundAt]));
  showView(article.contains(holder) ? "document" : "summary");
  const folded = holder.closest("details:not([open])");
  if (folded) folded.open = true;
  bringTo(holder, "center");
  byId("find").querySelector("output").textContent = `${foundAt + 1} of ${found.length}`;
}

// ---- Why a sentence was chosen, in words and bars ----

const METHODS = {
  copied: "It stands in the document as it stands here.",
  aligned: "Its source was found by its words.",
  attention: "The model attended to its source while it wrote.",
  cited: "The model cited its source.",
};
const MUCH = 0.35; // of the largest share: spoke much for it; below a third of that, little
const scale = widestShares();

function widestShares() {
  let most = 0;
  for (const { shares } of data.sentences) for (const share of shares) most = Math.max(most, Math.abs(share ?? 0));
  return most || 1;
}

function written(number) {
  return number.toFixed(data.digits).replace("-", "−");
}

function addTools(item, index) {
  const sentence = data.sentences[index];
  const tools = make("div", "tools");
  if (sentence.shares.some((share) => share !== null) || sentence.notes.length || sentence.method) {
    const why = makeButton("Why", "", () => toggleWhy(index));
    why.className = "ask";
    why.setAttribute("aria-expanded", "false");
    tools.append(why);
  }
  const copy = makeButton("Copy", "Copy the sentence with its page and section", () => copySentence(index, copy));
  copy.className = "copy";
  tools.append(copy, ...annotationTools(index));
  item.append(tools);
}

function toggleWhy(index) {
  const item = items[index];
  const ask = item.querySelector(".ask");
  if (!ask) return;
  if (!item.querySelector(".why")) item.querySelector(".tools").before(reasonsOf(index));
  const why = item.querySelector(".why");
  why.hidden = ask.getAttribute("aria-expanded") === "true";
  ask.setAttribute("aria-expanded", !why.hidden);
  if (!why.hidden) item.scrollIntoView({ block: "nearest" });
}

function reasonsOf(index) {
  const sentence = data.sentences[index];
  const why = make("div", "why");
  const named = data.reasons
    .map((name, place) => ({ name, share: sentence.shares[place] }))
    .filter(({ share }) => share !== null)
    .sort((one, other) => other.share - one.share);
  why.hidden = true;
  why.append(choice(sentence));
  if (named.length) why.append(inWords(named), shareTable(named, sentence.score));
  why.append(...sentence.notes.map((note) => make("p", "", note)));
  return why;
}

function inWords(named) {
  const told = ({ name }) => data.meanings[name] ?? name;
  const pros = named.filter(({ share }) => share > MUCH * scale).slice(0, 2).map(told);
  const cons = named.filter(({ share }) => share < 0).slice(-1).map(told);
  const says = pros.length ? `What spoke most for it: ${pros.join(", and ")}.` : "Many things each spoke a little for it.";
  return make("p", "", cons.length ? `${says} Against it: ${cons[0]}.` : says);
}

function strength(share) {
  const size = Math.abs(share) / scale;
  const word = size > MUCH ? "much" : size > MUCH / 3 ? "some" : "little";
  return `${word} ${share > 0 ? "for it" : "against it"}`;
}

function shareTable(named, score) {
  const table = make("table");
  for (const { name, share } of named) {
    if (Number(share.toFixed(data.digits)) === 0) continue;
    const row = table.insertRow();
    const head = make("th", "", data.meanings[name] ?? name);
    head.scope = "row";
    head.title = name;
    row.append(head);
    row.insertCell().append(bar(share));
    row.insertCell().append(strength(share));
    row.insertCell().append(written(share));
  }
  const row = table.insertRow();
  const head = make("th", "", "together");
  head.scope = "row";
  row.append(head);
  row.insertCell();
  row.insertCell();
  row.insertCell().append(written(score));
  return table;
}

// Reasons for the sentence are to the right of the line, and reasons against it to the left.
function bar(share) {
  const width = (50 * Math.abs(share)) / scale;
  const drawing = makeSvg("svg", { class: "bar", "aria-hidden": "true" });
  drawing.append(
    makeSvg("rect", { x: `${share < 0 ? 50 - width : 50}%`, width: `${width}%`, height: 8, class: share < 0 ? "against" : "for" }),
    makeSvg("rect", { x: "50%", y: -2, width: 1, height: 12, class: "zero" }),
  );
  return drawing;
}

function choice(sentence) {
  const copied = sentence.shares[data.reasons.indexOf("copied")] > 0;
  if (copied || sentence.method !== "copied") return make("p", "", METHODS[sentence.method] ?? "No sentence of the document was found that says it.");
  const note = make("p", "", `Chosen as number ${sentence.step + 1}`);
  if (sentence.runnerUp !== null) {
    const link = make("a", "", "this sentence");
    link.href = `#s-${sentence.runnerUp}`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      goToEvidence(sentence.runnerUp);
    });
    note.append(", ahead of ", link);
  }
  note.append(".");
  return note;
}

// ---- The address, which restores the sentence, the lengths of the whole and of sections, and the search ----

function address() {
  const parts = [];
  if (state.current >= 0) parts.push(`k-${state.current}`);
  if (state.rung !== data.start) parts.push(`length-${state.rung}`);
  for (const [section, rung] of state.doses) parts.push(`section-${section}-${rung}`);
  if (state.view === "document") parts.push("document");
  const page = location.href.split("#")[0];
  return parts.length ? `${page}#${parts.join(",")}` : page;
}

function rememberState() {
  history.replaceState(history.state, "", address());
}

function followAddress() {
  const asked = location.hash.slice(1);
  if (asked.startsWith("find=")) {
    openFind(decoded(asked.slice(5)));
    goToFound(1);
    return;
  }
  const parts = asked.split(",").map((part) => /^(k|length|section|document)(?:-(\d+))?(?:-(\d+))?$/.exec(part));
  if (!asked || parts.includes(null)) return;
  let [index, rung, view] = [-1, data.start, "summary"];
  const doses = new Map();
  for (const [, name, one, two] of parts) {
    if (name === "k") index = Number(one);
    if (name === "length") rung = Number(one);
    if (name === "section") doses.set(Number(one), Number(two));
    if (name === "document") view = "document";
  }
  const known = (each) => each < data.rungs.length;
  if (!known(rung) || index >= items.length || ![...doses.values()].every(known)) return;
  if (index >= 0 && !doses.size && !data.sentences[index].rungs.includes(rung)) rung = data.sentences[index].rungs[0];
  showLength(rung, doses);
  if (index < 0) return;
  choose(index);
  lightUp(data.sentences[index].sources);
  const [source] = data.sentences[index].sources;
  if (source !== undefined && !narrow.matches) bringTo(sourceMarks.get(source), "center");
  sayOf(index).focus({ preventScroll: true });
  bringTo(items[index], "center");
  if (view === "document" && source !== undefined) showSource(data.sentences[index].sources);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

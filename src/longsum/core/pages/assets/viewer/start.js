// ---- Event listeners ----

function listen() {
  byId("length")?.addEventListener("input", (event) => {
    showLength(Number(event.target.value));
    rememberState();
  });
  byId("plain").addEventListener("click", () => setPlain(!isPlain()));
  byId("whole")?.addEventListener("click", showDeletions);
  byId("copy-all").addEventListener("click", (event) => copyAll(event.currentTarget));
  byId("open-find").addEventListener("click", () => openFind());
  byId("open-keys").addEventListener("click", openKeys);
  byId("sentences").addEventListener("click", onSummaryClick);
  article.addEventListener("click", onDocumentClick);
  document.querySelector(".tabs").addEventListener("click", (event) => {
    if (event.target.dataset.view) showView(event.target.dataset.view);
  });
  document.addEventListener("click", (event) => {
    for (const fold of document.querySelectorAll("details[open]:has(> .sheet)")) {
      if (!fold.contains(event.target) || event.target.closest(".menu .sheet button")) fold.open = false;
    }
    const link = event.target.closest('a[href^="#sec-"], a[href^="#left-out-"]');
    if (!link) return;
    event.preventDefault();
    const target = link.getAttribute("href"); // links of the map are SVG, without a hash
    if (target.startsWith("#sec-")) goToSection(Number(target.slice(5)));
    else goToLeftOut(link);
  });
  document.addEventListener("keydown", onKey);
  document.querySelector(".map").addEventListener("keydown", onMapKey);
  cells.slice(1).forEach((cell) => cell.setAttribute("tabindex", "-1"));
}

// Goes to the first omitted part of a kind; each further click goes to the next one.
function goToLeftOut(link) {
  const first = byId(link.hash.slice(1));
  const name = first.dataset.kind;
  const all = [...document.querySelectorAll(".omitted")].filter((part) => part.dataset.kind === name);
  const next = all[Number(link.dataset.seen ?? 0) % all.length];
  link.dataset.seen = Number(link.dataset.seen ?? 0) + 1;
  next.open = true;
  jump(() => {
    showView("document");
    bringTo(next, "center");
  });
}

document.documentElement.classList.add("js");
document.documentElement.dataset.view = "summary";
if (byId("slider")) byId("slider").hidden = data.rungs.length < 2;
addBack();
addPreview();
estimateHeights();
layRail();
growTree();
addDoses();
listAnnotations();
fillForms();
showLength(data.start);
listen();
new ResizeObserver(fitLabels).observe(document.querySelector(".map"));
new ResizeObserver(drawRail).observe(documentPane);
followAddress();

// Addition to the viewer for trees of questions: nodes open when a sentence in them becomes current.
(() => {
  const nodes = [...document.querySelectorAll("details.node")];
  const items = document.querySelectorAll("#sentences li");

  document.getElementById("open-all").addEventListener("click", () => setAll(true));
  document.getElementById("close-all").addEventListener("click", () => setAll(false));
  const watcher = new MutationObserver((changes) => changes.forEach(({ target }) => reveal(target)));
  for (const item of items) watcher.observe(item, { attributes: true, attributeFilter: ["class"] });
  window.addEventListener("beforeprint", () => setAll(true));

  function setAll(open) {
    // The root stays open: otherwise, nothing could be read.
    nodes.slice(open ? 0 : 1).forEach((node) => (node.open = open));
  }

  // The viewer focuses a sentence before its node opens, which has no effect, so focus is set again.
  function reveal(item) {
    if (!item.classList.contains("current")) return;
    let opened = false;
    for (let node = item.closest("details.node"); node; node = node.parentElement.closest("details.node")) {
      opened = opened || !node.open;
      node.open = true;
    }
    if (!opened) return;
    item.querySelector(".say").focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }
})();

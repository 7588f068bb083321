// What the tree of questions adds to the viewer: nodes that open when the way leads into them.
(() => {
  const nodes = [...document.querySelectorAll("details.node")];
  const items = document.querySelectorAll("#sentences li");

  document.getElementById("open-all").addEventListener("click", () => setAll(true));
  document.getElementById("close-all").addEventListener("click", () => setAll(false));
  const watcher = new MutationObserver((changes) => changes.forEach(({ target }) => reveal(target)));
  for (const item of items) watcher.observe(item, { attributes: true, attributeFilter: ["class"] });
  window.addEventListener("beforeprint", () => setAll(true));

  function setAll(open) {
    // The root stays: without it nothing would be left to read.
    nodes.slice(open ? 0 : 1).forEach((node) => (node.open = open));
  }

  // The viewer makes a sentence current before it can be seen; focus has to be set again then.
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

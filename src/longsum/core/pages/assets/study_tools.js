// Shared by the scripts of all studies.
function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

let choices = 0;
// A group of radio buttons.
function choice(legend, options, chosen, choose, hidden = false) {
  const name = `choice-${(choices += 1)}`;
  const boxes = options.map(([value, label]) =>
    el("label", { className: "option" },
      el("input", { type: "radio", name, value: String(value), checked: value === chosen, onchange: () => choose(value) }),
      el("span", {}, label)));
  return el("fieldset", { className: "options" },
    el("legend", { className: hidden ? "off-screen" : "" }, legend), ...boxes);
}

function paragraphs(sentences) {
  return el("p", { className: "said" }, sentences.join(" "));
}

// The seconds for which the page has been visible.
const clock = (() => {
  let total = 0;
  let since = document.hidden ? null : performance.now();
  document.addEventListener("visibilitychange", () => {
    if (since !== null) total += performance.now() - since;
    since = document.hidden ? null : performance.now();
  });
  return () => (total + (since === null ? 0 : performance.now() - since)) / 1000;
})();

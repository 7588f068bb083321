// Aspects and errors of each sentence, and how informative the summary is.
const ERRORS = { hallucination: "Hallucination", deletion: "Deletion", concatenation: "False concatenation" };
const KIND = {
  blank: (task) => ({
    sentences: task.sentences.map(() => ({ aspect: null, errors: [] })),
    informativeness: Object.fromEntries(task.rated.map(([name]) => [name, null])),
  }),

  missing(task, answer) {
    const unlabelled = task.aspects.length ? answer.sentences.filter((each) => each.aspect === null).length : 0;
    const unrated = task.rated.filter(([name]) => answer.informativeness[name] === null).length;
    return [
      unlabelled ? `the aspect of ${unlabelled} ${unlabelled === 1 ? "sentence" : "sentences"}` : "",
      unrated ? `${unrated} ${unrated === 1 ? "rating" : "ratings"}` : "",
    ].filter(Boolean);
  },

  draw(task, answer, changed) {
    const items = task.sentences.map((text, place) => this.sentence(task, text, answer.sentences[place], changed));
    const ratings = task.rated.map(([name, label]) =>
      choice(label, [1, 2, 3, 4, 5].map((value) => [value, String(value)]), answer.informativeness[name], (value) => {
        answer.informativeness[name] = value;
        changed();
      }));
    return el("div", {},
      el("ol", { className: "items", onkeydown: (event) => this.move(event) }, ...items),
      el("h3", {}, "Informativeness, from 1 to 5"),
      el("div", { className: "ratings" }, ...ratings));
  },

  sentence(task, text, labels, changed) {
    const aspects = task.aspects.length
      ? choice("Aspect", task.aspects, labels.aspect, (value) => { labels.aspect = value; changed(); })
      : null;
    const boxes = page.errors.map((name) =>
      el("label", { className: "option" },
        el("input", {
          type: "checkbox",
          value: name,
          checked: labels.errors.includes(name),
          onchange: (event) => {
            labels.errors = page.errors.filter((each) => (each === name ? event.target.checked : labels.errors.includes(each)));
            changed();
          },
        }),
        el("span", {}, ERRORS[name])));
    return el("li", { className: "item", tabIndex: 0 },
      el("p", { className: "said" }, text), aspects,
      el("fieldset", { className: "options" }, el("legend", {}, "Errors"), ...boxes));
  },

  move(event) {
    const item = event.target.closest("li.item");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const boxes = item.querySelectorAll("input");
    const radios = [...boxes].filter((box) => box.type === "radio");
    const errors = [...boxes].filter((box) => box.type === "checkbox");
    const to = { j: item.nextElementSibling, k: item.previousElementSibling }[event.key];
    const box = radios[Number(event.key) - 1] || errors["hdc".indexOf(event.key)];
    if (to) to.focus();
    else if (box) box.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
};

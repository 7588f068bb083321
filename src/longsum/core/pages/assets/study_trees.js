// Questions that are moved step by step, and whether they are answered.
const KIND = {
  blank: (task) => ({ moves: [], answerable: task.pairs.map(() => null) }),

  missing(task, answer) {
    const open = answer.answerable.filter((each) => each === null).length;
    return open ? [`of ${open} ${open === 1 ? "question" : "questions"}, whether it is answered`] : [];
  },

  parents(task, answer) {
    const found = task.pairs.map((pair) => pair.parent);
    for (const [pair, to] of answer.moves) found[pair] = to;
    return found;
  },

  draw(task, answer, changed, again) {
    const parents = this.parents(task, answer);
    const below = new Map([[-1, []]]);
    parents.forEach((_, pair) => below.set(pair, []));
    parents.forEach((parent, pair) => below.get(parent).push(pair));
    const names = new Map();
    const name = (parent, prefix) => below.get(parent).forEach((pair, place) => {
      names.set(pair, prefix ? `${prefix}.${place + 1}` : `Q${place + 1}`);
      name(pair, names.get(pair));
    });
    name(-1, "");
    const step = (pair, to) => { changed(() => answer.moves.push([pair, to])); again(`[data-pair="${pair}"] > .pair`); };
    const undo = () => { const [pair] = answer.moves.at(-1); changed(() => answer.moves.pop()); again(`[data-pair="${pair}"] > .pair`); };
    const list = (parent) => el("ul", { className: "tree" }, ...below.get(parent).map((pair) =>
      el("li", { "data-pair": pair },
        this.pair(task.pairs[pair], pair, { parents, below, names, answer, step, changed }),
        below.get(pair).length ? list(pair) : null)));
    return el("div", {},
      el("p", { className: "tools" },
        el("span", {}, `${answer.moves.length} ${answer.moves.length === 1 ? "step" : "steps"}`),
        el("button", { type: "button", disabled: !answer.moves.length, onclick: undo }, "Undo the last step")),
      list(-1));
  },

  pair({ question, answer: text }, pair, { parents, below, names, answer, step, changed }) {
    const parent = parents[pair];
    const above = parent === -1 ? null : parents[parent];
    const siblings = below.get(parent).filter((each) => each !== pair);
    const up = above === null ? null
      : el("button", { type: "button", onclick: () => step(pair, above) }, above === -1 ? "To the first level" : `Below ${names.get(above)}`);
    const down = siblings.length === 0 ? null
      : el("select", { "aria-label": `Attach ${names.get(pair)} to one beside it`, onchange: (event) => step(pair, Number(event.target.value)) },
        el("option", { value: "", selected: true, disabled: true }, "Below …"),
        ...siblings.map((each) => el("option", { value: String(each) }, names.get(each))));
    return el("div", { className: "item pair", tabIndex: -1 },
      el("p", { className: "asked" }, el("span", { className: "number" }, `${names.get(pair)} `), question),
      el("p", { className: "said" }, text),
      up || down ? el("div", { className: "tools", role: "group", "aria-label": `Move ${names.get(pair)}` }, up, down) : null,
      choice("Is the question answered?", [[true, "Yes"], [false, "No"]], answer.answerable[pair], (value) => {
        changed(() => { answer.answerable[pair] = value; });
      }));
  },
};

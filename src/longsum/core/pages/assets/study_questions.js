// Questions about a text, each with the sentences that answer it.
const KIND = {
  blank: () => ({ questions: [] }),
  missing: (task, answer) => (answer.questions.length ? [] : ["a question"]),

  draw(task, answer, changed, again) {
    const boxes = task.sentences.map((text, place) =>
      el("label", { className: "sentence" },
        el("input", { type: "checkbox", value: String(place) }), el("span", {}, text)));
    const names = this.names(answer.questions);
    const question = el("textarea", { id: "question", rows: 2, maxLength: 2000 });
    const parent = el("select", { id: "parent" }, el("option", { value: "-1" }, "nothing: the first level"),
      ...answer.questions.map((each, place) => el("option", { value: String(place) }, `${names[place]} ${each.question}`)));
    const problem = el("p", { className: "facts", role: "alert" });
    const add = () => {
      const sentences = boxes.map((box, place) => (box.firstChild.checked ? place : -1)).filter((place) => place >= 0);
      const text = question.value.trim();
      if (!sentences.length || !text) {
        problem.textContent = sentences.length ? "Write the question." : "Choose the sentences that answer it.";
        return;
      }
      changed(() => answer.questions.push({ parent: Number(parent.value), question: text, sentences }));
      again("#question");
    };
    return el("div", {},
      el("fieldset", { className: "text" }, el("legend", {}, "The text: choose the sentences that answer"), ...boxes),
      el("div", { className: "item" },
        el("label", { htmlFor: "question" }, "Question"), question,
        el("label", { htmlFor: "parent" }, "It follows from"), parent,
        el("p", { className: "tools" }, el("button", { type: "button", onclick: add }, "Add the question")), problem),
      el("h3", {}, "Your questions"),
      answer.questions.length ? this.list(-1, task, answer, names, changed, again) : el("p", { className: "facts" }, "None yet."));
  },

  names(questions) {
    const found = [];
    const counts = new Map();
    questions.forEach(({ parent }) => {
      counts.set(parent, (counts.get(parent) || 0) + 1);
      found.push(parent === -1 ? `Q${counts.get(parent)}` : `${found[parent]}.${counts.get(parent)}`);
    });
    return found;
  },

  list(parent, task, answer, names, changed, again) {
    const below = answer.questions.map((each, place) => [each, place]).filter(([each]) => each.parent === parent);
    if (!below.length) return null;
    return el("ul", { className: "tree" }, ...below.map(([each, place]) => {
      const edited = (event) => {
        const text = event.target.value.trim();
        if (text) changed(() => { each.question = text; });
        again(`[aria-label="Question ${names[place]}"]`);
      };
      const remove = () => { changed(() => { answer.questions = this.without(answer.questions, place); }); again("#question"); };
      return el("li", {},
        el("div", { className: "item" },
          el("p", { className: "asked" }, el("span", { className: "number" }, `${names[place]} `)),
          el("input", { type: "text", value: each.question, maxLength: 2000, "aria-label": `Question ${names[place]}`, onchange: edited }),
          el("p", { className: "said" }, each.sentences.map((number) => task.sentences[number]).join(" ")),
          el("p", { className: "tools" }, el("button", { type: "button", onclick: remove }, `Remove ${names[place]} and what follows from it`))),
        this.list(place, task, answer, names, changed, again));
    }));
  },

  without(questions, gone) {
    const kept = [];
    const places = new Map([[-1, -1]]);
    questions.forEach((each, place) => {
      if (place === gone || !places.has(each.parent)) return;
      places.set(place, kept.length);
      kept.push({ ...each, parent: places.get(each.parent) });
    });
    return kept;
  },
};

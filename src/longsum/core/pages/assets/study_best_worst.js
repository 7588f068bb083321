// Which of a few summaries is best, and which is worst.
const KIND = {
  blank: () => ({ choices: Object.fromEntries(page.criteria.map(([name]) => [name, { best: null, worst: null }])) }),

  missing(task, answer) {
    const open = page.criteria.filter(([name]) => answer.choices[name].best === null || answer.choices[name].worst === null);
    return open.map(([name]) => name);
  },

  draw(task, answer, changed) {
    const letters = task.texts.map((_, place) => [place, String.fromCharCode(65 + place)]);
    const texts = task.texts.map((sentences, place) =>
      el("section", { className: "card-of-text", "aria-label": `Summary ${letters[place][1]}` },
        el("h3", {}, letters[place][1]), paragraphs(sentences)));
    const asked = page.criteria.map(([name, question]) => this.criterion(name, question, letters, answer.choices[name], changed));
    return el("div", {}, el("div", { className: "cards" }, ...texts), ...asked);
  },

  criterion(name, question, letters, chosen, changed) {
    const choose = (which, value) => {
      const other = which === "best" ? "worst" : "best";
      chosen[which] = value;
      if (letters.length === 2) chosen[other] = 1 - value;
      else if (chosen[other] === value) chosen[other] = null;
      const fresh = this.criterion(name, question, letters, chosen, changed);
      block.replaceWith(fresh);
      fresh.querySelector(`[data-which="${which}"] input:checked`).focus();
      changed();
    };
    const row = (which, label) => {
      const found = choice(label, letters, chosen[which], (value) => choose(which, value));
      found.dataset.which = which;
      return found;
    };
    const block = el("div", { className: "item", role: "group", "aria-label": name },
      el("p", { className: "asked" }, question),
      ...(letters.length === 2 ? [row("best", "Better")] : [row("best", "Best"), row("worst", "Worst")]));
    return block;
  },
};

// A question and a text, which is replaced by a longer one as long as it is not enough.
const ANSWERS = { yes: "Yes", no: "No", more: "More information" };
const KIND = {
  once: true,
  keys: { y: "yes", n: "no", m: "more" },
  blank: () => ({ answer: null, shown: 0, seconds: 0 }),
  missing: (task, answer) => (answer.answer === null ? ["an answer"] : []),
  running: (answer) => answer.shown > 0 && answer.answer === null,

  draw(task, answer, changed, again) {
    if (answer.answer !== null) return el("p", {}, "Answered. Go on to the next question.");
    if (answer.shown === 0) {
      const start = () => { changed(() => { answer.shown = 1; }); again("#task h3"); };
      return el("p", { className: "tools" }, el("button", { type: "button", className: "main", onclick: start }, "Show the question"));
    }
    const text = task.texts[answer.shown - 1];
    const parts = text.map((part) => ("level" in part ? el("h4", {}, part.text) : el("p", {}, part.text)));
    const give = (value) => {
      const more = value === "more" && answer.shown < task.texts.length;
      changed((left) => {
        if (more) answer.shown += 1;
        else Object.assign(answer, { answer: value, seconds: left.seconds });
      });
      again(more ? "#task h3" : "#next");
    };
    const buttons = Object.entries(ANSWERS).map(([value, label]) =>
      el("button", { type: "button", value, onclick: () => give(value) }, label));
    return el("div", {},
      el("h3", { tabIndex: -1 }, task.question),
      el("div", { className: "said text-to-check" }, ...(parts.length ? parts : [el("p", {}, "There is no text. Answer by the question alone.")])),
      el("div", { className: "tools answers", role: "group", "aria-label": "Your answer" }, ...buttons));
  },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const button = document.querySelector(`.answers button[value="${KIND.keys[event.key]}"]`);
  if (button) button.click();
});

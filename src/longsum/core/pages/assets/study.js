// Tasks one after the other; answers are kept in the browser, saved as a file, and read back.
const page = JSON.parse(document.getElementById("data").textContent);
(() => {
  document.documentElement.classList.add("js");
  const byId = (id) => document.getElementById(id);
  const stored = `longsum ${page.study} ${page.annotator}`;
  const state = { current: 0, tasks: {} };
  const chooser = byId("choose");
  let marked = clock();

  const current = () => page.tasks[state.current];
  function leftOf(task) {
    if (!Object.hasOwn(state.tasks, task.id)) state.tasks[task.id] = { done: false, seconds: 0, answer: KIND.blank(task) };
    return state.tasks[task.id];
  }
  const isDone = (task) => Object.hasOwn(state.tasks, task.id) && state.tasks[task.id].done;

  // Time counts for the task that is shown.
  function elapse() {
    const now = clock();
    const left = leftOf(current());
    if (!KIND.running || KIND.running(left.answer)) left.seconds = Math.round((left.seconds + now - marked) * 10) / 10;
    marked = now;
  }
  function keep() {
    try {
      localStorage.setItem(stored, JSON.stringify(saved()));
    } catch {
      say("This browser keeps nothing between visits; save the file before you close the page.");
    }
  }
  function changed(change) {
    elapse();
    const left = leftOf(current());
    if (change) change(left);
    left.done = KIND.missing(current(), left.answer).length === 0;
    keep();
    tellProgress();
  }

  // Showing.
  function tellProgress() {
    const done = page.tasks.filter(isDone).length;
    byId("progress").value = `${done} of ${page.tasks.length} done`;
    const missing = KIND.missing(current(), leftOf(current()).answer);
    const whole = done === page.tasks.length;
    byId("missing").textContent = missing.length ? `Still missing: ${missing.join(", ")}.`
      : whole ? "All tasks are done: save the file and return it." : "This task is done.";
    page.tasks.forEach((task, place) => { chooser.options[place].text = `${place + 1} of ${page.tasks.length}${isDone(task) ? " ✓" : ""}`; });
    chooser.value = String(state.current);
    const last = state.current === page.tasks.length - 1;
    byId("previous").disabled = state.current === 0;
    byId("next").disabled = byId("next-below").disabled = last || (KIND.once && missing.length > 0);
    if (whole) byId("guide").open = false;
  }
  function draw(focus) {
    const task = current();
    const again = (selector) => { draw(); document.querySelector(selector)?.focus(); };
    byId("task").replaceChildren(KIND.draw(task, leftOf(task).answer, changed, again));
    const { title } = page.documents[task.document];
    byId("task-heading").textContent = title || `Task ${state.current + 1}`;
    tellProgress();
    if (focus) {
      byId("work").scrollTop = 0;
      byId("task-heading").focus();
    }
  }
  function beside() {
    const { title, text, references } = page.documents[current().document];
    const pane = byId("beside");
    const shown = text.length > 0 || references.length > 0;
    pane.hidden = byId("to-document").hidden = !shown;
    pane.dataset.document === current().document || (pane.scrollTop = 0);
    pane.dataset.document = current().document;
    pane.replaceChildren(
      ...references.map((reference) => el("details", { open: true, className: "reference" }, el("summary", {}, "Reference summary"),
        ...reference.split("\n").map((line) => el("p", { className: "said" }, line)))),
      ...(text.length ? [el("h2", {}, title || "The document")] : []),
      ...text.map((part) => el("level" in part ? `h${Math.min(part.level + 2, 6)}` : "p", {}, part.text)));
  }
  function go(to) {
    if (to < 0 || to >= page.tasks.length || to === state.current) return;
    if (KIND.once && (to < state.current || !isDone(current()))) return;
    elapse();
    state.current = to;
    byId("guide").open = false;
    keep();
    beside();
    draw(true);
  }
  function say(text) {
    byId("status").textContent = text;
  }

  // Saving and reading.
  function saved() {
    const { schema, study, kind, annotator } = { ...page, schema: "longsum/annotations/1" };
    return { schema, study, kind, annotator, tasks: state.tasks };
  }
  function refusal(value) {
    if (!value || value.schema !== "longsum/annotations/1" || typeof value.tasks !== "object") return "This is not a file saved by such a page.";
    if (value.study !== page.study) return "This file belongs to another study.";
    if (value.annotator !== page.annotator) return `This file is by annotator ${value.annotator}; this page is that of annotator ${page.annotator}.`;
    return "";
  }
  // Restores saved answers; throws if an answer cannot be shown.
  function take(value) {
    const taken = {};
    for (const task of page.tasks) {
      if (!Object.hasOwn(value.tasks, task.id)) continue;
      const { seconds, answer } = value.tasks[task.id];
      const done = KIND.missing(task, answer).length === 0;
      KIND.draw(task, answer, () => {}, () => {});
      taken[task.id] = { done, seconds: Number(seconds) || 0, answer };
    }
    state.tasks = taken;
    const open = page.tasks.findIndex((task) => !isDone(task));
    state.current = open < 0 ? page.tasks.length - 1 : open;
    marked = clock();
  }
  byId("save").addEventListener("click", () => {
    elapse();
    const link = el("a", {
      href: URL.createObjectURL(new Blob([`${JSON.stringify(saved(), null, 1)}\n`], { type: "application/json" })),
      download: `annotator-${page.annotator}-${page.study}.json`,
    });
    link.click();
    URL.revokeObjectURL(link.href);
    say(`Saved as ${link.download}.`);
  });
  byId("open").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const value = JSON.parse(await file.text());
      const problem = refusal(value);
      if (problem) return say(problem);
      if (page.tasks.some(isDone) && !confirm("Replace your answers on this page with those of the file?")) return;
      take(value);
      keep();
      beside();
      draw(true);
      say(`Read ${file.name}.`);
    } catch {
      say("This file is damaged and cannot be read; nothing was changed.");
    } finally {
      event.target.value = "";
    }
  });

  byId("previous").addEventListener("click", () => go(state.current - 1));
  for (const id of ["next", "next-below"]) byId(id).addEventListener("click", () => go(state.current + 1));
  chooser.addEventListener("change", () => go(Number(chooser.value)));
  document.addEventListener("keydown", (event) => {
    if (KIND.once || page.tasks.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("textarea, select, input[type=text]")) return;
    if (event.key === "n") go(state.current + 1);
    if (event.key === "p") go(state.current - 1);
  });
  chooser.append(...page.tasks.map((_, place) => el("option", { value: String(place) })));
  if (KIND.once) byId("choosing").hidden = byId("previous").hidden = true;
  if (page.tasks.length === 0) {
    for (const id of ["save", "open", "next", "next-below", "previous"]) byId(id).disabled = true;
    return say("There is nothing to do for this annotator.");
  }
  window.addEventListener("pagehide", () => { elapse(); keep(); });
  setInterval(() => { elapse(); keep(); }, 5000);
  try {
    const before = JSON.parse(localStorage.getItem(stored));
    if (before && !refusal(before)) {
      take(before);
      byId("guide").open = false;
    }
  } catch {
    say("What this browser kept cannot be read; continue from a file, or start again.");
  }
  beside();
  draw();
})();

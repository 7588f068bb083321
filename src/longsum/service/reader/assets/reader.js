// Follows jobs to their end, by events or else by asking, and takes files that are dropped.
const POLL = 1000; // milliseconds between two questions where events do not come
const ENDED = ["done", "failed", "cancelled", "expired"];

document.documentElement.classList.add("js");
for (const place of document.querySelectorAll("[data-job]")) if (place.dataset.job) follow(place);
const form = document.querySelector("form.drop");
if (form) takeFiles();

function follow(place) {
  const address = `/v1/jobs/${place.dataset.job}`;
  let polling = false;
  const events = new EventSource(`${address}/events`);
  events.addEventListener("progress", (event) => {
    if (show(place, JSON.parse(event.data))) events.close();
  });
  events.addEventListener("error", () => {
    events.close();
    if (!polling) poll();
  });
  async function poll() {
    polling = true;
    try {
      const answer = await fetch(address);
      if (!answer.ok || show(place, await answer.json())) return;
    } catch {
      place.textContent = "the server does not answer; still asking";
    }
    setTimeout(poll, POLL);
  }
}

// Shows how far a job is; returns whether it has ended, which the page then shows.
function show(place, job) {
  place.textContent = inWords(job);
  const bar = document.querySelector("progress");
  if ("leads" in place.dataset && bar) {
    bar.max = job.total || 1;
    if (job.total) bar.value = job.done;
    else bar.removeAttribute("value");
    const left = document.querySelector(".left");
    left.textContent = job.seconds_left === null ? "" : `about ${Math.ceil(job.seconds_left)} s left`;
  }
  if (!ENDED.includes(job.state)) return false;
  location.reload();
  return true;
}

function inWords(job) {
  if (job.state === "queued") return job.ahead ? `${job.ahead} ahead in the queue` : "next in the queue";
  if (job.state === "running") return job.total ? `${job.stage}, ${job.done} of ${job.total}` : job.stage;
  return job.problem?.detail ?? job.state;
}

function takeFiles() {
  const field = form.querySelector("input[type='file']");
  const told = form.querySelector(".chosen");
  field.multiple = true;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dragging");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    if (event.dataTransfer.files.length) sendAll([...event.dataTransfer.files]);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendAll([...field.files]);
  });

  // One file leads to its summary; several come into the library, except those that are refused.
  async function sendAll(files) {
    const refused = [];
    let page = "/";
    for (const file of files) {
      told.textContent = `sending ${file.name} …`;
      const body = new FormData(form);
      body.set("file", file);
      const answer = await post(body);
      if (answer.ok) page = answer.page;
      else refused.push(`${file.name}: ${answer.told}`);
    }
    if (!refused.length) location.assign(files.length === 1 ? page : "/");
    else if (refused.length === files.length) told.textContent = refused.join(" ");
    else {
      const library = document.createElement("a");
      library.href = "/";
      library.textContent = "library";
      told.replaceChildren(`${refused.join(" ")} The others are in the `, library, ".");
    }
  }

  async function post(body) {
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
      const told = await answer.json();
      return { ok: answer.ok, page: told.page, told: told.detail };
    } catch {
      return { ok: false, told: "the server does not answer; try again" };
    }
  }
}

// ---- Copying, and reading without marks ----

function copySentence(index, button) {
  const quoted = `“${textOf(index)}” ${data.sentences[index].citation}`.trim();
  return put(quoted, button, "Copied with its page and section.");
}

// The visible text, with a paragraph for each section or question; without citations in the reading view.
function copyAll(button) {
  const paragraphs = groups.map((group, place) => {
    const indexes = groupItems[place].filter((item) => !item.hidden).map((item) => items.indexOf(item));
    const cited = new Set(isPlain() ? [] : indexes.map((index) => data.sentences[index].citation));
    const question = group.closest(".node")?.querySelector(".asks").textContent;
    const text = [...indexes.map(textOf), ...cited].filter(Boolean).join(" ");
    return question ? `${question}\n${text}`.trim() : text;
  });
  return put(paragraphs.filter(Boolean).join("\n\n"), button, "The summary was copied.");
}

async function put(text, button, told) {
  const name = button.textContent;
  button.disabled = true;
  const done = await write(text);
  say(done ? told : "Copying is not allowed here.");
  button.textContent = done ? "Copied" : "Not allowed";
  setTimeout(() => {
    button.textContent = name;
    button.disabled = false;
  }, 1500);
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.body.appendChild(make("textarea", "off-screen", text));
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

function isPlain() {
  return document.documentElement.classList.contains("plain");
}

function setPlain(plain) {
  document.documentElement.classList.toggle("plain", plain);
  byId("plain").setAttribute("aria-pressed", plain);
}

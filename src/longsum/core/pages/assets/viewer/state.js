// Enhances a page that can be read without scripts. The files of this folder are joined into one module, in
// the order of `page.VIEWER`. Data reaches the page only as text.

const SVG = "http://www.w3.org/2000/svg";
const data = JSON.parse(byId("data").textContent);
const items = data.sentences.map((_, index) => byId(`k-${index}`));
const groups = [...document.querySelectorAll(".group")];
const badges = [...document.querySelectorAll(".badge")];
const summaryPane = byId("summary");
const documentPane = byId("document");
const article = document.querySelector("article");
const narrow = matchMedia("(max-width: 52rem)");

// The state: the length, the lengths of single sections, the current sentence, the pane that a narrow
// screen shows, and the positions that jumps started from.
const state = { rung: data.start, doses: new Map(), current: -1, view: "summary", trail: [] };

function byId(id) {
  return document.getElementById(id);
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function makeSvg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function makeButton(text, title, act) {
  const button = make("button", "", text);
  button.type = "button";
  if (title) {
    button.title = title;
    button.setAttribute("aria-label", title);
  }
  button.addEventListener("click", act);
  return button;
}

function say(text) {
  byId("status").textContent = text;
}

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function textOf(index) {
  return items[index].querySelector(".text").textContent;
}

function sayOf(index) {
  return items[index].querySelector(".say");
}

// What a checked text adds to the viewer: a button that leaves only what differs or was not found.
(() => {
  const button = document.getElementById("only-doubts");
  const list = document.getElementById("sentences");
  button.addEventListener("click", () => {
    const pressed = list.classList.toggle("doubtful-only");
    button.setAttribute("aria-pressed", pressed);
  });
})();

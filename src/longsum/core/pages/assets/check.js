// Addition to the viewer for checked texts: a button that hides all sentences without doubts.
(() => {
  const button = document.getElementById("only-doubts");
  const list = document.getElementById("sentences");
  button.addEventListener("click", () => {
    const pressed = list.classList.toggle("doubtful-only");
    button.setAttribute("aria-pressed", pressed);
  });
})();

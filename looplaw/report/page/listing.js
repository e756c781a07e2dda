/* Formulas in the margin of annotated source stand in the page as text; where scripts run they are typeset. */
const Listing = (() => {
  function typeset() {
    for (const code of document.querySelectorAll("code.formula")) code.replaceChildren(Formula.show(code.textContent, true));
  }

  return { typeset };
})();

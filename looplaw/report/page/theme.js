/* Light, dark, or as the system has it. */
const Theme = (() => {
  function start() {
    const button = document.getElementById("theme"), dark = window.matchMedia("(prefers-color-scheme: dark)"), CHOICES = ["auto", "light", "dark"];
    let choice = "auto";
    try { choice = window.localStorage.getItem("looplaw-theme") || "auto"; } catch { /* no storage for files here */ }
    const apply = () => {
      document.documentElement.dataset.theme = choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
      button.textContent = `Theme: ${choice}`;
    };
    dark.addEventListener("change", apply);
    button.addEventListener("click", () => {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      try { window.localStorage.setItem("looplaw-theme", choice); } catch { /* as above */ }
      apply();
    });
    apply();
  }

  return { start };
})();

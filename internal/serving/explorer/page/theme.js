// Sets the theme that was chosen before anything is painted. Without a choice it
// is the system's.
"use strict";
(function () {
  var chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();

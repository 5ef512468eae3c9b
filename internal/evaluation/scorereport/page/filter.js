"use strict";
// Shows the samples that the form's fields ask for. Without it all are shown.
(function () {
  var form = document.getElementById("filter");
  if (!form) return;
  var samples = Array.from(document.querySelectorAll("#samples > details"));
  var shown = form.querySelector("output");
  function filter() {
    var name = form.elements["class"].value, db = form.elements.db.value, text = form.elements.text.value.toLowerCase(), n = 0;
    samples.forEach(function (d) {
      var ok = (!name || d.dataset.class === name) && (!db || d.dataset.db === db) &&
        (!text || d.textContent.toLowerCase().includes(text));
      d.hidden = !ok;
      if (ok) n++;
    });
    shown.textContent = n + " of " + samples.length;
  }
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  filter();
})();

// htmx keeps no history here; a list that was narrowed still stands at its own address.
document.addEventListener("htmx:replacedInHistory", ({ detail }) => {
  history.replaceState(null, "", detail.path);
});

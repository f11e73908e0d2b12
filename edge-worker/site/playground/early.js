// Runs before the page is painted: a page that is opened by a link with a question shows no examples that its answer replaces.

if (location.hash.startsWith("#/v1/")) document.documentElement.dataset.awaited = "answer";

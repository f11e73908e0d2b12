// The page of the search field. It is rendered in advance; the field comes to life in the browser.

import Search from "./search/search.js";

export default function Page() {
  return (
    <main>
      <h1>Toponym with Next.js</h1>
      <Search />
    </main>
  );
}

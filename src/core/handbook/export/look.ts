/** Style of the exported page: system fonts, light and dark by the reader's setting, one column on small screens. */
export const style = `
:root { color-scheme: light dark; --line: light-dark(#d8d8dc, #3c3c40); --soft: light-dark(#5c5c64, #a5a5ad);
  --back: light-dark(#ffffff, #1c1c1e); --code: light-dark(#f1f1f4, #2a2a2e); --link: light-dark(#0b57a4, #79b8ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: var(--back); color: CanvasText; }
header { position: sticky; top: 0; display: flex; gap: 1rem; align-items: center; padding: .5rem 1rem;
  background: var(--back); border-bottom: 1px solid var(--line); z-index: 1; }
header input { flex: 1; max-width: 32rem; font: inherit; padding: .25rem .5rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
.frame { display: grid; grid-template-columns: minmax(14rem, 20rem) 1fr; }
nav { border-right: 1px solid var(--line); padding: 1rem; overflow-y: auto; height: calc(100vh - 3rem);
  position: sticky; top: 3rem; font-size: 13px; }
nav ul, #results { list-style: none; margin: 0; padding-left: .75rem; }
nav li, #results li { overflow-wrap: anywhere; }
#results { position: sticky; top: 3rem; z-index: 1; background: var(--back); max-height: 60vh; overflow-y: auto; }
#results:not(:empty) { padding: .25rem 1rem .5rem; border-bottom: 1px solid var(--line); }
#results li { padding: .15rem .25rem; }
#results [aria-selected=true] { background: var(--code); outline: 1px solid var(--line); }
main { padding: 1rem 2rem; max-width: 68rem; overflow-wrap: anywhere; }
main > article { display: none; }
main > article:target, main:not(:has(> article:target)) > article:first-child { display: block; }
h1 { font-size: 1.4rem; margin: .2rem 0 .8rem; }
h2 { font-size: 1rem; margin: 1.1rem 0 .3rem; color: var(--soft); }
ul, ol { margin: .2rem 0; padding-left: 1.4rem; }
code, pre, .source { font: 13px/1.45 ui-monospace, monospace; }
code, pre { background: var(--code); border-radius: 3px; padding: 0 .25em; }
pre { padding: .6rem .8rem; overflow-x: auto; }
.source { color: var(--soft); }
@media (max-width: 50rem) { .frame { display: block; } nav { display: none; } main { padding: 1rem; } }
@media print { header, nav { display: none; } main > article { display: block; break-after: page; } }
`;

/**
 * Search and keys of the exported page. Everything shown is made with `textContent`; the page works without it, only
 * without search. Keys: / searches, arrows and Enter choose, Escape leaves, n and p go to the next and previous page.
 */
export const script = `
'use strict';
const box = document.getElementById('search');
const results = document.getElementById('results');
const articles = [...document.querySelectorAll('main > article')];
let texts;
let chosen = -1;
const shown = () => articles.find((one) => '#' + one.id === location.hash) || articles[0];
function search() {
  texts = texts || articles.map((one) => one.textContent.toLowerCase());
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  results.replaceChildren();
  chosen = -1;
  if (words.length === 0) return;
  const found = [];
  articles.forEach((one, index) => {
    const title = one.dataset.title.toLowerCase();
    if (!words.every((word) => texts[index].includes(word))) return;
    found.push({ one, rank: words.filter((word) => !title.includes(word)).length });
  });
  found.sort((a, b) => a.rank - b.rank);
  for (const { one } of found.slice(0, 40)) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = '#' + one.id;
    link.textContent = one.dataset.title;
    item.append(link);
    results.append(item);
  }
  if (found.length === 0 || found.length > 40) {
    const item = document.createElement('li');
    item.textContent = found.length === 0 ? 'Nothing has all of these words.' : 'and ' + (found.length - 40) + ' more';
    results.append(item);
  }
}
function choose(step) {
  const items = [...results.querySelectorAll('li')].filter((item) => item.firstElementChild);
  if (items.length === 0) return;
  chosen = (chosen + step + items.length) % items.length;
  items.forEach((item, index) => item.setAttribute('aria-selected', String(index === chosen)));
  items[chosen].scrollIntoView({ block: 'nearest' });
}
function leave() { box.value = ''; search(); box.blur(); }
box.addEventListener('input', search);
box.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); choose(event.key === 'ArrowDown' ? 1 : -1); }
  if (event.key === 'Enter') {
    const links = [...results.querySelectorAll('a')];
    const link = links[Math.max(0, chosen)];
    if (link) { location.hash = link.hash; leave(); }
  }
  if (event.key === 'Escape') leave();
});
document.addEventListener('keydown', (event) => {
  if (event.target === box || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') { event.preventDefault(); box.focus(); box.select(); }
  if (event.key === 'n' || event.key === 'p') {
    const next = articles[articles.indexOf(shown()) + (event.key === 'n' ? 1 : -1)];
    if (next) location.hash = '#' + next.id;
  }
});
results.addEventListener('click', (event) => { if (event.target.closest('a')) leave(); });
window.addEventListener('hashchange', () => {
  window.scrollTo(0, 0);
  document.title = shown().dataset.title;
  const link = [...document.querySelectorAll('nav a')].find((one) => one.hash === location.hash);
  if (link && link.closest('details')) link.closest('details').open = true;
});
`;

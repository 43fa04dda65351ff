import { createHash } from 'node:crypto';

// Colours stand in pairs of ink and ground; each pair has a contrast of 4.5 or more in both
// schemes, lines of controls 3 or more (WCAG 2.2, 1.4.3 and 1.4.11).
const COLOURS = `
:root { color-scheme: light dark; --ink: #1c1f26; --muted: #4d5565; --paper: #ffffff;
  --soft: #f2f4f8; --line: #767d8c; --hair: #d5d9e2; --accent: #1f4fbf; --on-accent: #ffffff;
  --danger: #a8201a; --on-danger: #ffffff; --good: #14663a; --s0: #1f4fbf; --s1: #b45309;
  --s2: #14663a; --s3: #8b2fb0; --s4: #0e7490; --s5: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaf0; --muted: #aab1c0; --paper: #15171c;
  --soft: #20242d; --line: #7c8496; --hair: #363c49; --accent: #8fb0ff; --on-accent: #10131a;
  --danger: #ff9d94; --on-danger: #2a0906; --good: #7fd6a4; --s0: #8fb0ff; --s1: #f5b454;
  --s2: #7fd6a4; --s3: #d7a6f5; --s4: #67d3e6; --s5: #9aa3b2; } }
`;

const FRAME = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.bar { border-bottom: 1px solid var(--hair); }
.bar > div, main { max-width: 58rem; margin: 0 auto; padding: .75rem 1.25rem; }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; }
.bar p { display: flex; align-items: center; gap: .625rem; margin: 0 auto 0 0; padding: .5rem 0;
  font-weight: 600; font-size: .9375rem; }
.mark { flex: none; fill: var(--on-accent); }
.mark .ground { fill: var(--accent); }
.bar ul { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; margin: 0;
  padding: 0; list-style: none; font-size: .9375rem; }
.bar li a { display: inline-block; padding: .5rem 0; }
.bar a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none;
  border-bottom: 3px solid var(--accent); }
main { padding-top: 2rem; padding-bottom: 4rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--paper); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
`;

const TEXT = `
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.0625rem; margin: 0; overflow-wrap: anywhere; }
p, dl, pre, ul.plain { margin: 0 0 1rem; max-width: 42rem; }
a { color: var(--accent); }
time { white-space: nowrap; }
p, li, dd { overflow-wrap: anywhere; }
.muted, dt { color: var(--muted); }
.note { margin: 0 0 1.5rem; padding: .75rem 1rem; background: var(--soft); max-width: 42rem;
  border-left: 4px solid var(--accent); border-radius: .25rem; }
.note.bad { border-left-color: var(--danger); }
.note p:last-child { margin: 0; }
code, pre { font: .9375rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { padding: .875rem 1rem; background: var(--soft); border: 1px solid var(--hair);
  border-radius: .5rem; overflow-wrap: anywhere; white-space: pre-wrap; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
  gap: 1rem 1.5rem; max-width: none; }
dt { font-size: .9375rem; }
dd { margin: 0; }
.facts .large { font-size: 1.375rem; font-weight: 600; line-height: 1.3; }
.cards { display: grid; gap: 1rem; margin: 0 0 1.5rem; padding: 0; list-style: none; }
.cards > li { padding: 1rem; border: 1px solid var(--hair); border-radius: .5rem; }
.cards .facts { grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem 1.25rem; }
.cards li > :last-child { margin-bottom: 0; }
.cards .head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline;
  margin: 0 0 .75rem; }
.state { font-size: .875rem; font-weight: 600; color: var(--muted); }
.state.live { color: var(--good); }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; }
caption { text-align: left; color: var(--muted); padding: 0 0 .5rem; }
th, td { min-width: 6rem; padding: .5rem 1rem .5rem 0; text-align: left; border-bottom: 1px solid var(--hair);
  vertical-align: top; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.number:last-child { padding-right: 0; }
@media (max-width: 36rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, caption { display: block; }
  tr { display: grid; padding: .5rem 0; border-bottom: 1px solid var(--hair); }
  tbody th, td { display: flex; justify-content: space-between; gap: 1rem; padding: .125rem 0;
    border: 0; text-align: left; }
  th, td { min-width: 0; }
  td::before { content: attr(data-heading); color: var(--muted); flex: none; }
  td > * { text-align: right; }
}
`;

const CONTROLS = `
form { margin: 0; }
label, legend { font-weight: 600; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; max-width: 42rem; }
legend { padding: 0; margin: 0 0 .25rem; }
.field { margin: 0 0 1.25rem; max-width: 36rem; }
.field input { display: block; width: 100%; margin: .25rem 0 0; padding: .75rem;
  font-size: 1.0625rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: .5rem; }
.field input { font-family: inherit; }
h2.label { margin: 0 0 .25rem; font-size: 1.0625rem; }
.key, pre[data-copy] { overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
.key { max-width: 42rem; margin: 0 0 .75rem; padding: .75rem; background: var(--soft);
  font: .9375rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  border: 1px solid var(--line); border-radius: .5rem; }
.key + button, pre + button { margin: 0 0 1.25rem; }
pre[data-copy] { margin-bottom: .75rem; }
.field .wrong { margin: .25rem 0 0; color: var(--danger); }
.check { display: flex; gap: .75rem; padding: .375rem 0; }
.check input { flex: none; width: 1.375rem; height: 1.375rem; margin: .125rem 0 0;
  accent-color: var(--accent); }
.check label { font-weight: 400; }
.check strong { display: block; }
button, .button { display: inline-block; font: inherit; font-weight: 600; line-height: 1.3;
  padding: .75rem 1.5rem; border: 2px solid var(--accent); border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; }
.second { background: transparent; color: var(--accent); }
.danger { border-color: var(--danger); background: var(--danger); color: var(--on-danger); }
.second.danger { background: transparent; color: var(--danger); }
.small { padding: .375rem .875rem; font-size: .9375rem; border-width: 1px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center;
  margin: 1rem 0 1.25rem; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
@media (max-width: 32rem) { .actions .wide { width: 100%; text-align: center; } }
`;

const CHART = `
.chart { margin: 0 0 1.5rem; }
.chart figcaption { color: var(--muted); }
.chart svg { display: block; width: 100%; height: 12rem; border-bottom: 1px solid var(--line);
  border-top: 1px dashed var(--hair); }
.chart .scale { margin: .5rem 0 .125rem; font-size: .875rem; color: var(--muted); }
.chart .days { display: grid; margin: .125rem 0 .5rem; max-width: none; font-size: .875rem;
  color: var(--muted); }
.days.d28 { grid-template-columns: repeat(4, 7fr); }
.days.d29 { grid-template-columns: repeat(4, 7fr) 1fr; }
.days.d30 { grid-template-columns: repeat(4, 7fr) 2fr; }
.days.d31 { grid-template-columns: repeat(4, 7fr) 3fr; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0;
  list-style: none; font-size: .9375rem; }
.swatch { display: inline-block; width: .75rem; height: .75rem; margin-right: .5rem;
  border-radius: .125rem; }
.swatch.pace { height: 0; border-top: 3px dashed var(--ink); border-radius: 0;
  vertical-align: middle; }
line.pace { stroke: var(--ink); stroke-width: 2px; stroke-dasharray: 6 4; }
${[0, 1, 2, 3, 4, 5].map((i) => `.series-${i} { fill: var(--s${i}); background: var(--s${i}); }`).join('\n')}
`;

/** The one stylesheet of the pages; it stands in every page, so none is fetched. */
export const STYLESHEET = `${COLOURS}${FRAME}${TEXT}${CONTROLS}${CHART}`.replace(/\n+/g, '\n');

/** Its source expression for a Content-Security-Policy. */
export const STYLESHEET_SOURCE = `'sha256-${digestOf(STYLESHEET)}'`;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

// Tests: which were chosen, why, and what came of them.
import { type Document, type Finding, type Test, findingsOf, testsOf, testsOfFinding } from '../document';
import { count, el, seconds } from '../dom';
import { linkTo } from '../router';

const kPageOfRows = 300;

export function testsPage(report: Document, chosen: string, query: string): { page: HTMLElement; reveal: () => void } {
  const tests = [...testsOf(report)];
  const byTest = new Map<string, Finding[]>();
  for (const finding of findingsOf(report)) {
    for (const test of testsOfFinding(finding)) {
      byTest.set(test, [...(byTest.get(test) ?? []), finding]);
      if (!tests.some((known) => known.name === test)) tests.push({ name: test });
    }
  }
  tests.sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || Number(b.selected ?? false) - Number(a.selected ?? false));
  const knowsSelection = tests.some((test) => test.selected !== undefined);
  const selected = tests.filter((test) => test.selected).length;

  const search = el('input', { type: 'search', placeholder: 'filter: name, outcome, reason', 'aria-label': 'filter tests', value: query });
  const which = el('select', { 'aria-label': 'which tests' }, ...['all', 'selected', 'not selected', 'with findings'].map((name) => el('option', { value: name }, name)));
  const shown = el('span', { class: 'quiet shown', role: 'status' });
  const body = el('tbody', {});
  let limit = kPageOfRows;
  const more = el('button', { type: 'button' }, 'show more');

  const draw = () => {
    const needle = search.value.trim().toLowerCase();
    const wanted = tests.filter((test) => {
      if (which.value === 'selected' && !test.selected) return false;
      if (which.value === 'not selected' && test.selected !== false) return false;
      if (which.value === 'with findings' && !byTest.has(test.name)) return false;
      const words = [test.name, test.outcome ?? '', ...(test.reasons ?? [])].join('\n').toLowerCase();
      return needle === '' || words.includes(needle);
    });
    const at = wanted.findIndex((test) => test.name === chosen);
    limit = Math.max(limit, at + 1);
    body.replaceChildren(...wanted.slice(0, limit).map((test) => row(test, byTest.get(test.name) ?? [], test.name === chosen)));
    shown.textContent = `${wanted.length} of ${count(tests.length, 'test')}`;
    more.hidden = wanted.length <= limit;
  };
  search.addEventListener('input', draw);
  which.addEventListener('change', draw);
  more.addEventListener('click', () => {
    limit += kPageOfRows;
    draw();
  });
  draw();
  const page = el(
    'article',
    { class: 'page' },
    el('h1', { tabindex: '-1' }, knowsSelection ? `${selected} of ${count(tests.length, 'test')} selected` : 'Tests'),
    el('div', { class: 'toolbar' }, search, knowsSelection ? which : null, shown),
    el(
      'div',
      { class: 'scroll-x' },
      el(
        'table',
        { class: 'table table-tests' },
        el('thead', {}, el('tr', {}, ...['rank', 'test', 'selected', 'outcome', 'executions', 'why'].map((name) => el('th', { scope: 'col' }, name)))),
        body,
      ),
    ),
    more,
  );
  return { page, reveal: () => body.querySelector('.is-chosen')?.scrollIntoView({ block: 'center' }) };
}

function row(test: Test, findings: Finding[], isChosen: boolean): HTMLElement {
  const reasons = [...(test.reasons ?? []), ...(test.trouble ? [test.trouble] : [])];
  return el(
    'tr',
    { class: isChosen ? 'is-chosen' : null, 'aria-current': isChosen ? 'true' : null },
    el('td', { class: 'number' }, test.rank === undefined ? '' : String(test.rank)),
    el('td', { class: 'wide-name' }, el('code', {}, test.name)),
    el('td', {}, test.selected === undefined ? '' : test.selected ? 'yes' : el('span', { class: 'quiet' }, 'no')),
    el(
      'td',
      {},
      (test.outcome ?? '').replaceAll('-', ' '),
      test.tried_before ? el('span', { class: 'quiet' }, ' before') : null,
      ...findings.map((finding) => el('div', {}, el('a', { href: linkTo('finding', finding.fingerprint) }, finding.kind))),
    ),
    el('td', { class: 'number' }, test.executions ? test.executions.toLocaleString('en') : '', test.seconds ? el('span', { class: 'quiet' }, ` ${seconds(test.seconds)}`) : null),
    el(
      'td',
      { class: 'wide' },
      reasons.length <= 2
        ? reasons.join('; ')
        : el('details', {}, el('summary', {}, reasons[0] ?? '', el('span', { class: 'quiet' }, ` and ${reasons.length - 1} more`)), el('ul', {}, ...reasons.slice(1).map((reason) => el('li', {}, reason)))),
    ),
  );
}

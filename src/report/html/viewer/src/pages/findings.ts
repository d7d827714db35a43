// The list of findings: on the overview, and by itself.
import { type Document, type Finding, findingsOf, testsOfFinding } from '../document';
import { baseName, el, prose } from '../dom';
import { linkTo } from '../router';
import { statusBadge } from './finding';

const kOrder = ['new', 'unknown', 'known', undefined];

export function sortedFindings(report: Document): Finding[] {
  return [...findingsOf(report)].sort((a, b) => kOrder.indexOf(a.status) - kOrder.indexOf(b.status));
}

export function findingTable(report: Document): HTMLElement {
  const body = el('tbody', {});
  const findings = sortedFindings(report);
  const hasTests = findings.some((finding) => testsOfFinding(finding).length > 0);
  const hasStatus = findings.some((finding) => statusBadge(finding) || finding.confirmed === false);
  for (const finding of findings) {
    const site = finding.sites?.[0];
    const tests = testsOfFinding(finding);
    body.append(
      el(
        'tr',
        {},
        el('td', {}, el('span', { class: 'badge badge-kind' }, finding.kind)),
        hasStatus ? el('td', { class: 'status' }, statusBadge(finding) ?? (finding.confirmed === false ? 'not confirmed' : '')) : null,
        el('td', { class: 'wide' }, el('a', { href: linkTo('finding', finding.fingerprint) }, prose(finding.message))),
        el('td', { class: 'where' }, site ? `${baseName(site.file)}:${site.line}` : ''),
        hasTests ? el('td', { class: 'where' }, tests[0] ? el('a', { href: linkTo('tests', tests[0]) }, tests[0]) : '', tests.length > 1 ? ` +${tests.length - 1}` : '') : null,
      ),
    );
  }
  return el(
    'div',
    { class: 'scroll-x' },
    el(
      'table',
      { class: 'table' },
      el('thead', {}, el('tr', {}, ...['kind', hasStatus && 'status', 'finding', 'at', hasTests && 'test'].filter((name) => name !== false).map((name) => el('th', { scope: 'col' }, name)))),
      body,
    ),
  );
}

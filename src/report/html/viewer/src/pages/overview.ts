// The first page: the verdict, what was found, what the change is, what was left out.
import { changeOf, type Document, findingsOf, testsOf } from '../document';
import { count, el, prose, seconds } from '../dom';
import { linkTo } from '../router';
import { changeMap } from './change';
import { findingTable } from './findings';

export function verdictOf(report: Document): { state: string; text: string } {
  const result = report.result ?? {};
  if (result.error) return { state: 'failed', text: result.error };
  const findings = findingsOf(report).filter((finding) => finding.confirmed !== false);
  const fresh = findings.filter((finding) => finding.status === 'new').length;
  const open = findings.filter((finding) => finding.status !== 'known').length;
  const noun = result.base ? 'Nothing new was found' : 'Nothing was found';
  if (open > 0) return { state: 'findings', text: result.verdict || (fresh > 0 ? count(fresh, 'new finding') : count(open, 'finding')) };
  if (result.complete === false) return { state: 'incomplete', text: result.verdict || `${noun} in what was looked at` };
  return { state: 'clean', text: result.verdict || noun };
}

export function overviewPage(report: Document): HTMLElement {
  const verdict = verdictOf(report);
  const page = el(
    'article',
    { class: 'page' },
    el(
      'header',
      { class: `verdict verdict-${verdict.state}` },
      el('p', { class: 'verdict-title' }, subject(report)),
      el('h1', { tabindex: '-1' }, verdict.text),
    ),
    figures(report),
  );
  if (findingsOf(report).length > 0) page.append(el('h2', {}, 'Findings'), findingTable(report));
  if (changeOf(report).length > 0) page.append(el('h2', {}, 'Change'), changeMap(report));
  const rest = limits(report);
  if (rest.length > 0) page.append(el('h2', {}, 'What limits this result'), el('ul', { class: 'notes' }, ...rest.map((text) => el('li', {}, prose(text)))));
  return page;
}

export function subject(report: Document): string {
  const { base, head } = report.result ?? {};
  if (base?.name && head?.name) return `${head.name} against ${base.name}`;
  return `heddle ${report.result?.command ?? ''}`.trim();
}

function figures(report: Document): HTMLElement {
  const list = el('dl', { class: 'figures' });
  const add = (name: string, value: string, link?: string) => {
    list.append(el('div', {}, el('dt', {}, name), el('dd', {}, link ? el('a', { href: link }, value) : value)));
  };
  const findings = findingsOf(report);
  const fresh = findings.filter((finding) => finding.status === 'new').length;
  const known = findings.filter((finding) => finding.status === 'known').length;
  if (fresh + known > 0) {
    add('new', String(fresh));
    add('known before', String(known));
  } else {
    add('findings', String(findings.length));
  }
  const tests = testsOf(report);
  const { selected, of } = report.result ?? {};
  if (typeof selected === 'number' && typeof of === 'number' && of > 0) add('tests selected', `${selected} of ${of}`, linkTo('tests'));
  else if (tests.length > 0) add('tests', String(tests.length), linkTo('tests'));
  const files = changeOf(report);
  if (files.length > 0) {
    const functions = files.reduce((sum, file) => sum + (file.functions?.length ?? 0), 0);
    add('files changed', String(files.length), linkTo('change'));
    if (functions > 0) add('functions changed', String(functions), linkTo('change'));
  }
  if (report.result?.executions) add('executions', report.result.executions.toLocaleString('en'));
  if (report.result?.seconds) add('time', seconds(report.result.seconds));
  return list;
}

function names(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((it) => (typeof it === 'string' ? it : it && typeof it === 'object' && 'name' in it ? `${it.name}${'why' in it ? `: ${it.why}` : ''}` : '')).filter(Boolean);
}

function limits(report: Document): string[] {
  const result = report.result ?? {};
  const lines: string[] = [...(result.notes ?? [])];
  if (lines.length > 0) return lines;
  const notReached = names(result['not_reached']);
  if (notReached.length > 0) lines.push(`not reached for lack of time: ${shorten(notReached)}`);
  for (const unusable of names(result['unusable'])) lines.push(`cannot be tried: ${unusable}`);
  if (typeof result['not_selected_because'] === 'string') lines.push(`all tests count as selected: ${result['not_selected_because']}`);
  for (const assumption of names(result['assumptions'])) lines.push(assumption);
  if (result.interrupted) lines.push('it was interrupted');
  return lines;
}

function shorten(list: string[]): string {
  return list.slice(0, 10).join(', ') + (list.length > 10 ? ` and ${list.length - 10} more` : '');
}

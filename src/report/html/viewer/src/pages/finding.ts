// A finding: what went wrong, in which tests, how to see it again, and the interleaving.
import { type Document, type Finding, testsOfFinding } from '../document';
import { copyable, count, el, prose } from '../dom';
import { ExecutionView } from '../execution/view';
import { linkTo } from '../router';
import type { Sources } from '../sources';

export const kConfirmation: Record<string, string> = {
  executed: 'seen in an execution',
  harmful: 'executed both ways: one of them fails',
  benign: 'executed both ways: neither fails',
  'not-reproduced': 'tried, and not seen',
  predicted: 'predicted, not executed',
};

export function statusBadge(finding: Finding): HTMLElement | null {
  if (finding.status === 'new') return el('span', { class: 'badge badge-new' }, 'new');
  if (finding.status === 'known') return el('span', { class: 'badge' }, 'known');
  return null;
}

export function shellWord(word: string): string {
  return /^[\w\-./:=@%+,]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function replayCommand(finding: Finding): string {
  return finding.schedule ? `heddle replay ${shellWord(finding.schedule)}` : '';
}

export function findingPage(report: Document, finding: Finding, sources: Sources): { page: HTMLElement; view: ExecutionView | null } {
  const facts: (HTMLElement | string)[] = [];
  if (finding.confirmation) facts.push(kConfirmation[finding.confirmation] ?? finding.confirmation);
  if (finding.executions_to_find) facts.push(`found after ${count(finding.executions_to_find, 'execution')}`);
  if (finding.occurrences) facts.push(`showed ${count(finding.occurrences, 'time')}`);
  if (finding.seed !== undefined) facts.push(`seed ${finding.seed}`);
  facts.push(`fingerprint ${finding.fingerprint.slice(0, 8)}`);

  const page = el(
    'article',
    { class: 'page page-finding' },
    el(
      'header',
      { class: 'finding-head' },
      el('p', { class: 'badges' }, el('span', { class: 'badge badge-kind' }, finding.kind), statusBadge(finding), el('span', { class: 'quiet' }, facts.join(' · '))),
      el('h1', { tabindex: '-1' }, prose(finding.message)),
    ),
  );
  page.append(siteList(finding, sources));
  const tests = testsOfFinding(finding);
  if (tests.length > 0) {
    page.append(
      el(
        'p',
        { class: 'shown-by' },
        'Shown by ',
        ...tests.slice(0, 8).flatMap((test, i) => [i > 0 ? ', ' : '', el('a', { href: linkTo('tests', test) }, test)]),
        tests.length > 8 ? ` and ${tests.length - 8} more` : '',
      ),
    );
  }
  for (const word of finding.words ?? []) page.append(el('pre', { class: 'words' }, word));
  const evidence = report.evidence?.[finding.fingerprint];
  const execution = evidence?.execution;
  if (evidence?.details?.length) page.append(detailList(evidence.details));
  const command = replayCommand(finding);
  if (command) {
    page.append(
      el('div', { class: 'commands' }, copyable(command, 'Replay'), copyable(command.replace('replay', 'replay --gdb'), 'In gdb')),
    );
  }
  for (const problem of evidence?.notes ?? []) page.append(el('p', { class: 'quiet' }, `note: ${problem}`));
  if (!execution || execution.events.thread.length === 0) {
    page.append(el('p', { class: 'quiet' }, 'The execution is not part of this report; the replay command shows it.'));
    return { page, view: null };
  }
  const view = new ExecutionView(execution, sources, `interleaving of ${finding.kind}: ${finding.message}`);
  page.append(
    el('h2', { class: 'how' }, 'How it came about'),
    el('p', { class: 'unseen', id: 'grid-keys' }, 'Arrow keys step through the rows; question mark lists all keys.'),
    view.element,
  );
  return { page, view };
}

function siteList(finding: Finding, sources: Sources): HTMLElement {
  const list = el('ul', { class: 'sites' });
  for (const site of (finding.sites ?? []).slice(0, 6)) {
    const source = sources.find(site.file);
    const changed = (source?.changed ?? []).some(([first, last]) => site.line >= first && site.line <= last);
    list.append(
      el(
        'li',
        {},
        el('code', {}, `${source?.path ?? site.file}${site.line ? `:${site.line}` : ''}`),
        ` in ${site.function}`,
        changed ? el('span', { class: 'delta', title: 'changed since the base' }, 'Δ changed') : null,
      ),
    );
  }
  return list;
}

function detailList(details: { text: string; lines?: string[] }[]): HTMLElement {
  return el(
    'ul',
    { class: 'details' },
    ...details.map((detail) =>
      el('li', {}, prose(detail.text), detail.lines?.length ? el('pre', {}, detail.lines.join('\n')) : null),
    ),
  );
}

// What is printed: everything, one after the other, with the interleavings as they tell the story.
import { changeOf, type Document } from './document';
import { baseName, el } from './dom';
import { Model } from './execution/model';
import { textOf } from './execution/view';
import { changeMap } from './pages/change';
import { chartsOf, chartsPage } from './pages/charts';
import { findingPage } from './pages/finding';
import { sortedFindings } from './pages/findings';
import { overviewPage } from './pages/overview';
import { testsPage } from './pages/tests';
import type { Sources } from './sources';

const kMostRows = 80;

export function printedReport(report: Document, sources: Sources): HTMLElement {
  const all = el('div', { class: 'printed' }, overviewPage(report));
  for (const finding of sortedFindings(report)) {
    const { page, view } = findingPage(report, finding, sources);
    const execution = report.evidence?.[finding.fingerprint]?.execution;
    if (view && execution) {
      view.element.remove();
      const model = new Model(execution, (place) => sources.path(place.file), () => '');
      const rows = model.rows({ mode: 'steps', text: '', location: -1, hidden: new Set() });
      const threads = execution.threads.map((_, thread) => thread).filter((thread) => rows.some((row) => row.kind === 'event' && model.thread(row.event) === thread));
      const body = el('tbody', {});
      for (const row of rows.slice(0, kMostRows)) {
        const cells = threads.map((thread) => {
          if (row.kind === 'end') return el('td', {}, execution.threads[thread]?.end?.note ?? '');
          if (row.kind !== 'event' || model.thread(row.event) !== thread) return el('td', {});
          const place = model.place(row.event);
          const text = place ? textOf(sources, place) : '';
          const isKey = model.rank(row.event) > 0;
          return el('td', { class: isKey ? 'is-key' : null }, place?.line ? el('span', { class: 'where' }, `${baseName(sources.path(place.file))}:${place.line}`) : '', el('code', {}, text || `${model.verb(row.event)} ${model.locationName(row.event)}`));
        });
        body.append(el('tr', { class: row.kind === 'gap' ? 'quiet' : null }, el('th', { scope: 'row' }, row.kind === 'event' ? String(model.number(row.event)) : row.kind === 'gap' ? `… ${row.events}` : 'end'), ...cells));
      }
      page.append(el('table', { class: 'table' }, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'event'), ...threads.map((thread) => el('th', { scope: 'col' }, model.threadTitle(thread))))), body));
    }
    all.append(page);
  }
  if (changeOf(report).length > 0) all.append(el('article', { class: 'page' }, el('h1', {}, 'Change'), changeMap(report)));
  const { page } = testsPage(report, '', '');
  all.append(page);
  if (chartsOf(report).length > 0) all.append(chartsPage(report));
  return all;
}

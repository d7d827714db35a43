// The change: files, functions, and how many of their accesses the change impacts.
import { type ChangedFile, changeOf, type Document, findingsOf } from '../document';
import { count, el } from '../dom';
import { linkTo } from '../router';
import { listing, type Sources } from '../sources';

const kMostLines = 400;

export function changeMap(report: Document): HTMLElement {
  const files = changeOf(report);
  const most = Math.max(1, ...files.map((file) => file.impacted_accesses ?? 0));
  return el('div', { class: 'change-map' }, ...files.map((file) => fileBlock(report, file, most)));
}

function fileBlock(report: Document, file: ChangedFile, most: number): HTMLElement {
  const touched = findingsOf(report).filter((finding) =>
    (finding.sites ?? []).some((site) => site.file === file.file || site.file.endsWith(`/${file.file}`)),
  );
  const block = el(
    'section',
    { class: 'change-file' },
    el(
      'h3',
      {},
      el('a', { href: linkTo('change', file.file) }, file.file),
      file.how && file.how !== 'changed' ? el('span', { class: 'badge' }, file.how) : null,
      el('span', { class: 'quiet lines' }, file.changed_lines?.length ? count(file.changed_lines.length, 'line') : ''),
    ),
  );
  if (file.before && file.before !== file.file) block.append(el('p', { class: 'quiet' }, `was ${file.before}`));
  const list = el('ul', {});
  for (const it of file.functions ?? []) {
    const impacted = (file.impacted_lines ?? []).filter((line) => it.line && line >= it.line && line <= (it.end ?? it.line)).length;
    list.append(
      el(
        'li',
        {},
        el('code', { title: it.name }, it.name),
        el(
          'span',
          { class: 'quiet' },
          [it.how && it.how !== 'changed' ? it.how : '', impacted > 0 ? count(impacted, 'impacted line') : ''].filter(Boolean).join(', '),
        ),
      ),
    );
  }
  block.append(list);
  const accesses = file.impacted_accesses ?? 0;
  if (accesses > 0) {
    block.append(
      el(
        'p',
        { class: 'impact' },
        el('i', { style: `width:${Math.max(4, Math.round((100 * accesses) / most))}px` }),
        `${accesses.toLocaleString('en')} impacted ${accesses === 1 ? 'access' : 'accesses'}`,
      ),
    );
  }
  if (touched.length > 0) {
    block.append(
      el('p', { class: 'touched' }, ...touched.slice(0, 5).flatMap((finding, i) => [i > 0 ? ', ' : '', el('a', { href: linkTo('finding', finding.fingerprint) }, finding.kind)]), ' here'),
    );
  }
  return block;
}

export function changePage(report: Document, path: string, sources: Sources): HTMLElement {
  const page = el('article', { class: 'page' }, el('h1', { tabindex: '-1' }, 'Change'));
  const files = changeOf(report);
  if (files.length === 0) return append(page, el('p', { class: 'quiet' }, 'No source file differs.'));
  page.append(
    el('p', { class: 'quiet' }, 'Bars: accesses to shared memory that can take part in interleavings which the base does not have.'),
    changeMap(report),
  );
  for (const file of files) {
    const source = sources.find(file.file);
    if (!source || source.chunks.length === 0) continue;
    const lines = source.chunks.reduce((sum, chunk) => sum + chunk.lines.length, 0);
    const details = el('details', { class: 'file-source', open: file.file === path });
    details.append(el('summary', {}, el('code', {}, file.file)));
    const fill = () => {
      if (details.open && details.childElementCount === 1)
        details.append(listing(source, { current: -1 }, Infinity), lines > kMostLines ? el('p', { class: 'quiet' }, `${lines} lines`) : '');
    };
    details.addEventListener('toggle', fill);
    fill();
    page.append(details);
  }
  return page;
}

function append(page: HTMLElement, ...children: HTMLElement[]): HTMLElement {
  page.append(...children);
  return page;
}

// Source text of the document, and its views: a listing around a line, and a line or two for a hint.
import { codeLine } from './code';
import { type Document, type Source, isChanged, lineOf } from './document';
import { el } from './dom';

export class Sources {
  private readonly byPath = new Map<string, Source>();

  constructor(private readonly report: Document) {
    for (const source of report.sources ?? []) this.byPath.set(source.path, source);
  }

  path(index: number): string {
    return this.report.sources?.[index]?.path ?? '';
  }
  at(index: number): Source | undefined {
    return this.report.sources?.[index];
  }
  // By a path as findings have it: absolute, or relative to the project.
  find(path: string): Source | undefined {
    const exact = this.byPath.get(path);
    if (exact || path === '') return exact;
    for (const [known, source] of this.byPath) {
      if (path.endsWith(`/${known}`) || known.endsWith(`/${path}`)) return source;
    }
    return undefined;
  }
  line(index: number, line: number): string {
    return lineOf(this.at(index), line)?.trim() ?? '';
  }
  isChanged(index: number, line: number): boolean {
    return isChanged(this.at(index), line);
  }
}

export interface Marks {
  current: number;
  ranks?: Map<number, number[]>; // by line: numbers of key events
}

export function listing(source: Source, marks: Marks, around: number): HTMLElement {
  const body = el('div', { class: 'listing' });
  let previous = 0;
  for (const chunk of source.chunks) {
    chunk.lines.forEach((text, i) => {
      const number = chunk.first + i;
      if (Math.abs(number - marks.current) > around) return;
      if (previous > 0 && number > previous + 1) body.append(el('div', { class: 'listing-gap' }, '⋯'));
      previous = number;
      const changed = isChanged(source, number);
      const ranks = marks.ranks?.get(number) ?? [];
      const line = el('div', {
        class: `listing-line${number === marks.current ? ' is-current' : ''}${changed ? ' is-changed' : ''}`,
        'data-line': number,
      });
      const code = el('code', {});
      code.append(codeLine(text));
      line.append(
        el('span', { class: 'listing-number' }, String(number)),
        el('span', { class: 'listing-mark', title: changed ? 'changed since the base' : null }, changed ? 'Δ' : ''),
        code,
        ...ranks.map((rank) => el('span', { class: 'rank' }, String(rank))),
      );
      body.append(line);
    });
  }
  return body;
}

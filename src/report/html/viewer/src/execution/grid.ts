// The interleaving as a grid: a column for each thread, time downwards. Only the rows in sight are drawn, so that the
// length of a trace does not matter.
import { baseName, el, prose, svg } from '../dom';
import { codeLine } from '../code';
import type { Place } from '../document';
import type { Model, Row } from './model';

export const kRowHeight = 24;
const kHeadHeight = 28;
const kNumberWidth = 62;
const kMinColumn = 200;
const kLaneWidth = 7;
const kOverscan = 12;
const kHues = 8;

export interface GridText {
  path(place: Place): string;
  source(place: Place): string;
  isChanged(place: Place): boolean;
}

export interface GridListener {
  select(row: number): void;
  open(row: number): void; // a gap
  hover(event: number, at: { x: number; y: number } | null): void;
  lock(location: number): void;
}

export class Grid {
  readonly element: HTMLElement;
  private readonly head: HTMLElement;
  private readonly body: HTMLElement;
  private readonly rowLayer: HTMLElement;
  private readonly lockLayer: HTMLElement;
  private readonly arrows: SVGSVGElement;
  private readonly drawn = new Map<number, HTMLElement>();
  private rows: Row[] = [];
  private rowEvents: number[] = []; // of each row: its first event, so that rows can be found by event
  private columns: number[] = []; // by thread: which column; -1: none
  private threads: number[] = []; // by column
  private columnWidth = kMinColumn;
  private selected = 0;
  private frame = 0;
  // What the browser would have to lay out the page for, if it were asked at every step.
  private top = 0;
  private width = 0;
  private height = 0;
  commonFile = ''; // of all rows, if there is one: then its name would only take the room of the source

  constructor(
    private readonly model: Model,
    private readonly text: GridText,
    private readonly listener: GridListener,
    label: string,
  ) {
    this.head = el('div', { class: 'grid-head', role: 'row', 'aria-rowindex': '1' });
    this.lockLayer = el('div', { class: 'grid-locks', 'aria-hidden': 'true' });
    this.arrows = svg('svg', { class: 'grid-arrows', 'aria-hidden': 'true' });
    this.rowLayer = el('div', { class: 'grid-rows', role: 'rowgroup' });
    this.body = el('div', { class: 'grid-body', role: 'presentation' }, this.lockLayer, this.rowLayer, this.arrows);
    this.element = el(
      'div',
      { class: 'grid', role: 'grid', tabindex: '0', 'aria-label': label, 'aria-describedby': 'grid-keys' },
      this.head,
      this.body,
    );
    this.element.addEventListener(
      'scroll',
      () => {
        this.top = this.element.scrollTop;
        this.scheduleDraw();
      },
      { passive: true },
    );
    this.body.addEventListener('click', (event) => this.click(event));
    this.rowLayer.addEventListener('mousemove', (event) => this.move(event));
    this.rowLayer.addEventListener('mouseleave', () => this.listener.hover(-1, null));
    new ResizeObserver(() => {
      this.width = this.element.clientWidth;
      this.height = this.element.clientHeight;
      this.layout();
      this.reveal(this.selected);
      this.draw();
    }).observe(this.element);
  }

  setRows(rows: Row[], threads: number[]) {
    this.rows = rows;
    this.rowEvents = rows.map((row) => (row.kind === 'event' ? row.event : row.kind === 'gap' ? row.first : this.model.size));
    this.threads = threads;
    this.columns = [];
    threads.forEach((thread, column) => (this.columns[thread] = column));
    const files = new Set<string>();
    for (const row of rows) {
      const place = row.kind === 'event' ? this.model.place(row.event) : undefined;
      if (place && place.line > 0) files.add(this.text.path(place));
    }
    for (const thread of threads) {
      const place = this.model.execution.threads[thread]?.end?.place;
      if (place && place.line > 0) files.add(this.text.path(place));
    }
    this.commonFile = files.size === 1 ? [...files][0]! : '';
    this.element.setAttribute('aria-rowcount', String(rows.length + 1));
    this.element.setAttribute('aria-colcount', String(threads.length + 1));
    this.layout();
  }

  select(row: number) {
    const before = this.selected;
    this.selected = row;
    this.reveal(row);
    this.redrawRow(before);
    this.redrawRow(row);
    this.draw();
    this.element.setAttribute('aria-activedescendant', `row-${row}`);
  }

  // The row that shows an event, or the one that it is hidden in.
  rowOf(event: number): number {
    let low = 0;
    let high = this.rowEvents.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.rowEvents[middle] ?? 0) <= event) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private isShown(event: number): boolean {
    const row = this.rows[this.rowOf(event)];
    return row?.kind === 'event' && (row.event === event || (row.step !== undefined && event < row.event + row.step.events));
  }

  private reveal(row: number) {
    if (this.height === 0) return; // it is not on the page yet
    const top = row * kRowHeight;
    const room = this.height - kHeadHeight;
    const margin = Math.min(4 * kRowHeight, room / 4);
    if (top < this.top + margin) this.scrollTo(Math.max(0, top - margin));
    else if (top + kRowHeight > this.top + room - margin) this.scrollTo(top + kRowHeight - room + margin);
    if (this.columns.length * this.columnWidth + kNumberWidth <= this.width) return;
    const thread = this.threadOf(row);
    const column = thread === undefined ? undefined : this.columns[thread];
    if (column === undefined) return;
    const left = column * this.columnWidth;
    const width = this.width - kNumberWidth;
    if (left < this.element.scrollLeft) this.element.scrollLeft = left;
    else if (left + this.columnWidth > this.element.scrollLeft + width)
      this.element.scrollLeft = Math.min(left, left + this.columnWidth - width);
  }

  private scrollTo(top: number) {
    if (top === this.top) return;
    this.element.scrollTop = top;
    this.top = this.element.scrollTop;
  }

  private threadOf(row: number): number | undefined {
    const it = this.rows[row];
    return it?.kind === 'event' ? this.model.thread(it.event) : undefined;
  }

  private layout() {
    const room = this.width - kNumberWidth;
    const columns = Math.max(1, this.threads.length);
    this.columnWidth = Math.max(kMinColumn, Math.floor(room / columns));
    const width = kNumberWidth + columns * this.columnWidth;
    this.body.style.width = `${width}px`;
    this.body.style.height = `${this.rows.length * kRowHeight + (this.rows.at(-1)?.kind === 'end' ? kRowHeight : 0)}px`;
    this.head.style.width = `${width}px`;
    this.head.replaceChildren(
      el('div', { class: 'grid-number', role: 'columnheader', style: `width:${kNumberWidth}px` }, 'event'),
      ...this.threads.map((thread) =>
        el(
          'div',
          { class: 'grid-thread', role: 'columnheader', style: `width:${this.columnWidth}px` },
          this.model.threadTitle(thread),
        ),
      ),
    );
    this.forget();
    this.top = this.element.scrollTop;
    this.draw();
  }

  private forget() {
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
  }

  private redrawRow(row: number) {
    this.drawn.get(row)?.remove();
    this.drawn.delete(row);
  }

  private scheduleDraw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const top = this.top;
    const last = Math.min(this.rows.length - 1, Math.ceil((top + this.height) / kRowHeight) + kOverscan);
    // After the rows have become fewer the place scrolled to can lie behind the last one for a moment.
    const first = Math.max(0, Math.min(Math.floor(top / kRowHeight) - kOverscan, last));
    for (const [row, element] of this.drawn) {
      if (row >= first && row <= last) continue;
      element.remove();
      this.drawn.delete(row);
    }
    let next: HTMLElement | null = null;
    for (let row = last; row >= first; --row) {
      let element = this.drawn.get(row);
      if (!element) {
        element = this.rowElement(row);
        this.drawn.set(row, element);
        this.rowLayer.insertBefore(element, next);
      }
      next = element;
    }
    this.drawLocks(first, last);
    this.drawArrows(first, last);
  }

  private left(thread: number): number {
    return kNumberWidth + (this.columns[thread] ?? 0) * this.columnWidth;
  }

  private gutter(): number {
    return this.model.lanes === 0 ? 6 : this.model.lanes * kLaneWidth + 6;
  }

  private rowElement(index: number): HTMLElement {
    const row = this.rows[index]!;
    const isSelected = index === this.selected;
    const element = el('div', {
      class: `row row-${row.kind}${isSelected ? ' is-selected' : ''}`,
      id: `row-${index}`,
      role: 'row',
      'aria-rowindex': index + 2,
      'aria-selected': isSelected ? 'true' : 'false',
      'data-row': index,
      style: `top:${index * kRowHeight}px`,
    });
    if (row.kind === 'event') this.fillEvent(element, row);
    else if (row.kind === 'gap') this.fillGap(element, row);
    else this.fillEnd(element);
    return element;
  }

  private fillEvent(element: HTMLElement, row: Extract<Row, { kind: 'event' }>) {
    const { model } = this;
    const thread = model.thread(row.event);
    const place = model.place(row.event);
    const rank = this.rankOf(row);
    const cell = el('div', {
      class: `cell${rank > 0 ? ' is-key' : this.isAbout(row) ? ' is-about' : ''}`,
      role: 'gridcell',
      'aria-colindex': (this.columns[thread] ?? 0) + 2,
      style: `left:${this.left(thread) + this.gutter()}px;width:${this.columnWidth - this.gutter() - 8}px`,
    });
    if (place && this.text.isChanged(place)) {
      cell.classList.add('is-changed');
      cell.append(el('span', { class: 'delta', title: 'changed since the base' }, 'Δ'));
    }
    if (rank > 0) cell.append(el('span', { class: 'rank', title: 'the failure takes this' }, String(rank)));
    const source = place ? this.text.source(place) : '';
    const operation = row.step
      ? row.step.operations
      : [model.verb(row.event), this.unsaid(source, model.locationName(row.event)), model.note(row.event)].filter(Boolean).join(' ');
    if (place && place.line > 0)
      cell.append(this.where(place));
    if (source) {
      const code = el('code', { class: 'source' });
      code.append(codeLine(source));
      cell.append(code);
      if (operation) cell.append(el('span', { class: `op ${this.opClass(row.event)}` }, operation));
    } else {
      cell.append(
        el('span', { class: `op op-alone ${this.opClass(row.event)}` }, operation || model.verb(row.event)),
        place?.function ? el('span', { class: 'where' }, `in ${place.function}`) : '',
      );
    }
    element.append(
      el('div', { class: 'grid-number', role: 'rowheader', style: `width:${kNumberWidth}px` }, String(model.number(row.event))),
      cell,
    );
  }

  private where(place: Place): HTMLElement {
    const path = this.text.path(place);
    const text = path === this.commonFile ? String(place.line) : `${baseName(path)}:${place.line}`;
    const colon = text.indexOf(':') < 0 ? 0 : text.lastIndexOf(':');
    // Of a name that is too long the end goes, never the line.
    return el('span', { class: 'where' }, colon > 0 ? el('span', { class: 'where-file' }, text.slice(0, colon)) : null, el('span', {}, text.slice(colon)));
  }

  // "balance" need not be said beside `balance -= amount;`.
  private unsaid(source: string, name: string): string {
    const word = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('.')) + 1);
    return word !== '' && source.includes(word) ? '' : name;
  }

  private opClass(event: number): string {
    if (this.model.isWrite(event)) return 'op-write';
    return this.model.isRead(event) ? 'op-read' : 'op-sync';
  }

  private rankOf(row: Extract<Row, { kind: 'event' }>): number {
    if (!row.step) return this.model.rank(row.event);
    for (let i = 0; i < row.step.events; ++i) {
      const rank = this.model.rank(row.event + i);
      if (rank > 0 && this.model.thread(row.event + i) === this.model.thread(row.event)) return rank;
    }
    return 0;
  }

  private isAbout(row: Extract<Row, { kind: 'event' }>): boolean {
    return row.step ? row.step.operations !== '' : this.model.isAbout(row.event);
  }

  private fillGap(element: HTMLElement, row: Extract<Row, { kind: 'gap' }>) {
    element.append(
      el('div', { class: 'grid-number', role: 'rowheader', style: `width:${kNumberWidth}px` }, '⋮'),
      el(
        'div',
        { class: 'gap', role: 'gridcell' },
        `${row.events.toLocaleString('en')} event${row.events === 1 ? '' : 's'} not shown`,
      ),
    );
  }

  private fillEnd(element: HTMLElement) {
    element.append(el('div', { class: 'grid-number', role: 'rowheader', style: `width:${kNumberWidth}px` }, 'end'));
    for (const thread of this.threads) {
      const end = this.model.execution.threads[thread]?.end;
      if (!end) continue;
      const { place } = end;
      const cell = el('div', {
        class: 'cell cell-end',
        role: 'gridcell',
        style: `left:${this.left(thread) + this.gutter()}px;width:${this.columnWidth - this.gutter() - 8}px`,
      });
      if (place && place.line > 0) {
        const code = el('code', { class: 'source' });
        code.append(codeLine(this.text.source(place)));
        cell.append(el('div', { class: 'end-where' }, this.where(place), code));
      }
      cell.append(el('div', { class: 'end-note', title: end.note ?? '' }, prose(end.note ?? '')));
      element.append(cell);
    }
  }

  private drawLocks(first: number, last: number) {
    const spans = document.createDocumentFragment();
    const firstEvent = this.rowEvents[first] ?? 0;
    const lastEvent = this.rowEvents[last] ?? this.model.size;
    for (const span of this.model.spans) {
      if (span.from > lastEvent || (span.to >= 0 && span.to < firstEvent)) continue;
      if (this.columns[span.thread] === undefined) continue;
      // Of what lies outside the sight no more than a little is drawn: layers of great height are slow.
      const from = Math.max(span.from < 0 ? 0 : this.rowOf(span.from), first - 2);
      const to = Math.min(span.to < 0 ? this.rows.length - 1 : this.rowOf(span.to), last + 2);
      if (to < from || (to === from && this.rows[from]?.kind === 'gap')) continue;
      const name = this.model.execution.locations[span.location]?.name ?? 'a lock';
      const bar = el('div', {
        class: `lock hue-${hueOf(span.location)}${span.shared ? ' is-shared' : ''}`,
        title: `${this.model.threadTitle(span.thread)} holds ${name}${span.shared ? ' (shared)' : ''}`,
        style:
          `left:${this.left(span.thread) + 3 + span.lane * kLaneWidth}px;` +
          `top:${from * kRowHeight + 3}px;height:${(to - from + 1) * kRowHeight - 6}px`,
      });
      bar.addEventListener('click', () => this.listener.lock(span.location));
      spans.append(bar);
    }
    this.lockLayer.replaceChildren(spans);
  }

  private drawArrows(first: number, last: number) {
    const lines = document.createDocumentFragment();
    const top = Math.max(0, first - 2) * kRowHeight;
    const height = (last - first + 5) * kRowHeight;
    this.arrows.setAttribute('width', String(kNumberWidth + this.threads.length * this.columnWidth));
    this.arrows.setAttribute('height', String(height));
    this.arrows.style.top = `${top}px`;
    const line = (from: number, to: number, style: string) => {
      if (!this.isShown(from) || !this.isShown(to)) return;
      const a = this.rowOf(from);
      const b = this.rowOf(to);
      if (a === b || (a < first - 400 && b > last + 400 && style === 'order')) return;
      lines.append(this.arrow(from, to, a, b, top, style));
    };
    const row = this.rows[this.selected];
    const own = row?.kind === 'event' ? this.eventsOf(row) : [];
    const isOwn = new Set(own);
    const seen = new Set<number>();
    for (let at = Math.max(0, first); at <= last; ++at) {
      const it = this.rows[at];
      if (it?.kind !== 'event') continue;
      for (const event of this.eventsOf(it)) {
        for (const from of this.model.before(event)) {
          if (!isOwn.has(event) && !isOwn.has(from)) line(from, event, 'order');
        }
        if (seen.size > 400) break;
        seen.add(event);
      }
    }
    for (const event of own) {
      for (const from of this.model.before(event)) line(from, event, 'order is-own');
      for (const to of this.model.after(event)) line(event, to, 'order is-own');
      const writer = this.model.lastWriter(event);
      if (writer >= 0 && this.model.thread(writer) !== this.model.thread(event)) line(writer, event, 'value is-own');
    }
    this.arrows.replaceChildren(markers(), lines);
  }

  private eventsOf(row: Extract<Row, { kind: 'event' }>): number[] {
    if (!row.step) return [row.event];
    const thread = this.model.thread(row.event);
    const events = [];
    for (let i = 0; i < row.step.events && events.length < 64; ++i) {
      if (this.model.thread(row.event + i) === thread) events.push(row.event + i);
    }
    return events;
  }

  private arrow(from: number, to: number, a: number, b: number, top: number, style: string): SVGElement {
    const fromColumn = this.columns[this.model.thread(from)] ?? 0;
    const toColumn = this.columns[this.model.thread(to)] ?? 0;
    const edge = (thread: number, towards: boolean) =>
      this.left(thread) + (towards ? this.columnWidth - 10 : this.gutter() - 2);
    const rightwards = toColumn > fromColumn;
    const x1 = edge(this.model.thread(from), rightwards);
    const x2 = edge(this.model.thread(to), !rightwards && fromColumn !== toColumn);
    const y1 = (a + 0.5) * kRowHeight - top;
    const y2 = (b + 0.5) * kRowHeight - top;
    const bend = fromColumn === toColumn ? -14 : (rightwards ? 1 : -1) * Math.min(26, Math.abs(x2 - x1) / 2 + 14);
    return svg('path', {
      class: `arrow ${style}`,
      d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`,
      'marker-end': `url(#tip-${style.includes('value') ? 'value' : style.includes('own') ? 'own' : 'order'})`,
    });
  }

  private rowAt(event: Event): number {
    const element = (event.target as Element).closest<HTMLElement>('.row');
    return element ? Number(element.dataset['row']) : -1;
  }

  private click(event: MouseEvent) {
    // The rows let through what is aimed at the locks beneath them.
    const row = Math.floor((event.clientY - this.body.getBoundingClientRect().top) / kRowHeight);
    if ((event.target as Element).closest('.lock') || row < 0 || row >= this.rows.length) return;
    if (this.rows[row]?.kind === 'gap') this.listener.open(row);
    else this.listener.select(row);
  }

  private move(event: MouseEvent) {
    const row = this.rows[this.rowAt(event)];
    const isOnCell = (event.target as Element).closest('.cell') !== null;
    if (row?.kind === 'event' && isOnCell) this.listener.hover(row.event, { x: event.clientX, y: event.clientY });
    else this.listener.hover(-1, null);
  }
}

export function hueOf(location: number): number {
  return location % kHues;
}

function markers(): SVGElement {
  const tip = (name: string) =>
    svg(
      'marker',
      { id: `tip-${name}`, class: `tip-${name}`, viewBox: '0 0 8 8', refX: '7', refY: '4', markerWidth: '7', markerHeight: '7', orient: 'auto' },
      svg('path', { d: 'M0,0 L8,4 L0,8 z' }),
    );
  return svg('defs', {}, tip('order'), tip('own'), tip('value'));
}

// The interleaving view: toolbar, grid, inspector, and the keys that step through it.
import type { Execution, Place } from '../document';
import { announce, count, el } from '../dom';
import { listing, type Sources } from '../sources';
import { Grid, hueOf } from './grid';
import { Inspector } from './inspector';
import { type Filter, Model, type Row } from './model';

const kHoverDelay = 180;
const kHoverLines = 3;
const kMostChips = 12;
const kMostColumns = 4; // if there are more, only threads that the failure is about are shown at first

export const kKeys: [string, string][] = [
  ['↓ ↑  or  j k', 'next, previous row'],
  ['→ ←', 'next, previous event of the same thread'],
  ['n p', 'next, previous event that the failure takes'],
  ['o O', 'next, previous event on the same variable or lock'],
  ['Home End', 'first, last row'],
  ['Page Up, Page Down', 'a screen of rows'],
  ['Enter', 'open what is not shown'],
  ['a', 'all events, or only what tells the story'],
  ['/', 'filter'],
  ['Escape', 'no filter'],
  ['c', 'copy the replay command'],
  ['t', 'dark or light'],
  ['?', 'these keys'],
];

export function textOf(sources: Sources, place: Place): string {
  return sources.line(place.file, place.line) || (place.text ?? '');
}

export class ExecutionView {
  readonly element: HTMLElement;
  private readonly model: Model;
  private readonly grid: Grid;
  private readonly inspector: Inspector;
  private readonly filter: Filter;
  private rows: Row[] = [];
  private selected = 0;
  private readonly search: HTMLInputElement;
  private readonly modes: HTMLButtonElement;
  private readonly shown: HTMLElement;
  private readonly chips: HTMLElement;
  private readonly body: HTMLElement;
  private readonly hint: HTMLElement;
  private hoverTimer = 0;

  constructor(
    private readonly execution: Execution,
    private readonly sources: Sources,
    label: string,
  ) {
    this.model = new Model(
      execution,
      (place) => sources.path(place.file),
      (place) => textOf(sources, place),
    );
    this.filter = { mode: this.model.hasSteps() ? 'steps' : 'all', text: '', location: -1, hidden: new Set() };
    this.hideBystanders();
    this.grid = new Grid(
      this.model,
      {
        path: (place) => sources.path(place.file),
        source: (place) => textOf(sources, place),
        isChanged: (place) => place.changed === true || sources.isChanged(place.file, place.line),
      },
      {
        select: (row) => this.select(row),
        open: (row) => this.openGap(row),
        hover: (event, at) => this.hover(event, at),
        lock: (location) => this.setLocation(location),
      },
      label,
    );
    this.inspector = new Inspector(this.model, sources, (event) => this.goTo(event));
    this.search = el('input', {
      type: 'search',
      placeholder: 'filter: function, file, variable, lock',
      'aria-label': 'filter events',
      spellcheck: 'false',
    });
    this.search.addEventListener('input', () => {
      this.filter.text = this.search.value;
      this.refresh();
    });
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.grid.element.focus();
    });
    this.modes = el('button', { type: 'button', class: 'toggle' });
    this.modes.addEventListener('click', () => this.toggleMode());
    this.shown = el('span', { class: 'quiet shown' });
    this.chips = el('div', { class: 'chips' });
    this.hint = el('div', { class: 'hint', hidden: true });
    this.grid.element.addEventListener('keydown', (event) => {
      if (!event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey && this.key(event.key))
        event.preventDefault();
    });
    this.body = el('div', { class: 'execution-body' }, this.grid.element, this.inspector.element);
    const toolbar = el(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'what is shown' },
      this.modes,
      this.search,
      this.threadMenu(),
      this.shown,
    );
    this.element = el(
      'div',
      { class: 'execution' },
      toolbar,
      this.chips,
      this.body,
      this.hint,
    );
    this.refresh();
    this.selectFirst();
  }

  focus() {
    this.grid.element.focus({ preventScroll: true });
  }

  // What scrolls can do so only on the page.
  attached() {
    this.focus();
    this.select(this.selected);
  }

  // True if the key means something here.
  key(key: string): boolean {
    const page = Math.max(1, Math.floor(this.grid.element.clientHeight / 24) - 3);
    switch (key) {
      case 'ArrowDown':
      case 'j':
        return this.step(1);
      case 'ArrowUp':
      case 'k':
        return this.step(-1);
      case 'PageDown':
        return this.step(page);
      case 'PageUp':
        return this.step(-page);
      case 'Home':
        return this.step(-this.rows.length);
      case 'End':
        return this.step(this.rows.length);
      case 'ArrowRight':
        return this.seek(1, (event, from) => this.model.thread(event) === this.model.thread(from));
      case 'ArrowLeft':
        return this.seek(-1, (event, from) => this.model.thread(event) === this.model.thread(from));
      case 'o':
      case 'O':
        return this.seek(
          key === 'o' ? 1 : -1,
          (event, from) => this.model.locationIndex(event) >= 0 && this.model.locationIndex(event) === this.model.locationIndex(from),
        );
      case 'n':
        return this.nextKey(1);
      case 'p':
        return this.nextKey(-1);
      case 'a':
        this.toggleMode();
        return true;
      case 'Enter':
        if (this.rows[this.selected]?.kind === 'gap') this.openGap(this.selected);
        return true;
      case '/':
        this.search.focus();
        return true;
      case 'Escape':
        this.search.value = '';
        this.filter.text = '';
        this.filter.location = -1;
        this.refresh();
        return true;
      default:
        return false;
    }
  }

  private step(by: number): boolean {
    this.select(Math.min(this.rows.length - 1, Math.max(0, this.selected + by)));
    return true;
  }

  private seek(by: 1 | -1, wanted: (event: number, from: number) => boolean): boolean {
    const from = this.selectedEvent();
    if (from < 0) return this.step(by);
    for (let row = this.selected + by; row >= 0 && row < this.rows.length; row += by) {
      const it = this.rows[row];
      if (it?.kind === 'event' && wanted(it.event, from)) {
        this.select(row);
        return true;
      }
    }
    announce('no further one is shown');
    return true;
  }

  private nextKey(by: 1 | -1): boolean {
    const keys = this.model.keys;
    const at = this.selectedEvent();
    const next = by > 0 ? keys.find((key) => key > at) : keys.findLast((key) => key < at);
    if (next !== undefined) this.goTo(next);
    else announce('no further one');
    return true;
  }

  private selectedEvent(): number {
    const row = this.rows[this.selected];
    if (row?.kind === 'event') return row.event;
    return row?.kind === 'gap' ? row.first : -1;
  }

  // Shows an event whatever was hidden.
  private goTo(event: number) {
    if (this.filter.hidden.delete(this.model.thread(event))) this.refresh();
    let row = this.find(event);
    if (row < 0) {
      this.filter.text = '';
      this.search.value = '';
      this.filter.location = -1;
      this.refresh();
      row = this.find(event);
    }
    if (row < 0) {
      const gap = this.rows[this.grid.rowOf(event)];
      if (gap?.kind === 'gap') this.model.expanded.add(gap.first);
      else this.filter.mode = 'all';
      this.refresh();
      row = this.find(event);
    }
    if (row >= 0) this.select(row);
  }

  private find(event: number): number {
    const row = this.grid.rowOf(event);
    const it = this.rows[row];
    if (it?.kind !== 'event') return -1;
    const last = it.event + (it.step ? it.step.events - 1 : 0);
    return event <= last && this.model.thread(it.event) === this.model.thread(event) ? row : -1;
  }

  private select(row: number) {
    const it = this.rows[row];
    if (!it) {
      this.inspector.clear('no event is shown');
      return;
    }
    this.selected = row;
    this.grid.select(row);
    if (it.kind === 'event') {
      const event = this.eventToTell(it);
      this.inspector.show(event);
    } else if (it.kind === 'gap') {
      this.inspector.clear(`${count(it.events, 'event')} not shown here. Enter opens them.`);
    } else {
      this.inspector.clear('Where the threads stand when the execution ends.');
    }
  }

  // Of a step the event that matters most.
  private eventToTell(row: Extract<Row, { kind: 'event' }>): number {
    if (!row.step) return row.event;
    for (let i = 0; i < row.step.events; ++i) if (this.model.rank(row.event + i) > 0) return row.event + i;
    for (let i = 0; i < row.step.events; ++i) if (this.model.isAbout(row.event + i)) return row.event + i;
    return row.event;
  }

  private openGap(row: number) {
    const gap = this.rows[row];
    if (gap?.kind !== 'gap') return;
    this.model.expanded.add(gap.first);
    this.refresh();
    this.select(this.grid.rowOf(gap.first));
  }

  private toggleMode() {
    this.filter.mode = this.filter.mode === 'all' && this.model.hasSteps() ? 'steps' : 'all';
    if (this.filter.mode === 'steps') this.model.expanded.clear();
    this.refresh();
  }

  private setLocation(location: number) {
    this.filter.location = this.filter.location === location ? -1 : location;
    this.refresh();
  }

  private selectFirst() {
    const key = this.model.keys[0];
    const row = key === undefined ? -1 : this.find(key);
    this.select(Math.max(0, row));
  }

  private refresh() {
    const event = this.selectedEvent();
    this.rows = this.model.rows(this.filter);
    this.grid.setRows(this.rows, this.columns());
    this.body.style.setProperty('--rows', String(this.rows.length));
    const events = this.rows.reduce((sum, row) => sum + (row.kind === 'event' ? (row.step?.events ?? 1) : 0), 0);
    this.shown.textContent =
      `${events.toLocaleString('en')} of ${count(this.model.size, 'event')}` +
      (this.grid.commonFile ? `, lines of ${this.grid.commonFile}` : '') +
      (this.filter.hidden.size > 0 ? `, ${count(this.filter.hidden.size, 'thread')} hidden` : '') +
      (this.execution.left_out ? ` (${count(this.execution.left_out, 'further one')} left out of this report)` : '');
    this.modes.textContent = this.filter.mode === 'steps' ? 'show all events' : 'show what tells the story';
    this.modes.hidden = !this.model.hasSteps();
    this.modes.setAttribute('aria-pressed', String(this.filter.mode === 'all'));
    this.drawChips();
    if (event >= 0) this.select(Math.max(0, Math.min(this.rows.length - 1, this.grid.rowOf(event))));
  }

  private hideBystanders() {
    if (this.execution.threads.length <= kMostColumns) return;
    const matter = new Set(this.model.keys.map((event) => this.model.thread(event)));
    this.execution.threads.forEach((thread, index) => {
      if (thread.takes_part) matter.add(index);
    });
    if (matter.size === 0) return;
    this.execution.threads.forEach((_, index) => {
      if (!matter.has(index)) this.filter.hidden.add(index);
    });
  }

  private columns(): number[] {
    const used = new Set<number>();
    for (const row of this.rows) if (row.kind === 'event') used.add(this.model.thread(row.event));
    if (this.filter.mode === 'steps') {
      this.execution.threads.forEach((thread, index) => {
        if (thread.end?.note && used.size < 8) used.add(index);
      });
    }
    for (const hidden of this.filter.hidden) used.delete(hidden);
    return [...used].sort((a, b) => a - b);
  }

  private drawChips() {
    const used = new Set(this.model.spans.map((span) => span.location));
    for (const about of this.execution.about ?? []) used.add(about);
    const isLock = new Set(this.model.spans.map((span) => span.location));
    const chips = [...used].slice(0, kMostChips).map((location) => {
      const chip = el(
        'button',
        { type: 'button', class: 'chip', 'aria-pressed': String(this.filter.location === location) },
        isLock.has(location) ? el('i', { class: `swatch hue-${hueOf(location)}` }) : null,
        this.execution.locations[location]?.name ?? '?',
      );
      chip.title = 'show only events on it';
      chip.addEventListener('click', () => this.setLocation(location));
      return chip;
    });
    this.chips.replaceChildren(...chips);
    this.chips.hidden = chips.length === 0;
  }

  private threadMenu(): HTMLElement {
    if (this.execution.threads.length < 3) return el('span', {});
    const boxes = this.execution.threads.map((_, thread) => {
      const box = el('input', { type: 'checkbox', checked: !this.filter.hidden.has(thread) });
      box.addEventListener('change', () => {
        if (box.checked) this.filter.hidden.delete(thread);
        else this.filter.hidden.add(thread);
        this.refresh();
      });
      return el('label', {}, box, this.model.threadTitle(thread));
    });
    return el('details', { class: 'menu' }, el('summary', {}, 'threads'), el('div', { class: 'menu-body' }, ...boxes));
  }

  private hover(event: number, at: { x: number; y: number } | null) {
    clearTimeout(this.hoverTimer);
    if (event < 0 || !at) {
      this.hint.hidden = true;
      return;
    }
    this.hoverTimer = window.setTimeout(() => this.showHint(event, at), kHoverDelay);
  }

  private showHint(event: number, at: { x: number; y: number }) {
    const place = this.model.place(event);
    const source = place ? this.sources.at(place.file) : undefined;
    this.hint.replaceChildren(
      el('div', { class: 'hint-title' }, [this.model.verb(event), this.model.locationName(event)].filter(Boolean).join(' ')),
      place?.function ? el('div', { class: 'quiet' }, `in ${place.function}`) : '',
      source && place ? listing(source, { current: place.line }, kHoverLines) : '',
    );
    this.hint.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.hint;
    this.hint.style.left = `${Math.max(8, Math.min(at.x + 14, window.innerWidth - width - 8))}px`;
    const below = at.y + 18;
    this.hint.style.top = `${below + height > window.innerHeight - 8 ? Math.max(8, at.y - height - 12) : below}px`;
  }
}

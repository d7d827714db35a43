// What there is to say about the event that is selected, and its source.
import { el } from '../dom';
import { listing, type Sources } from '../sources';
import { hueOf } from './grid';
import type { Model } from './model';

const kLinesAround = 150;
const kLineHeight = 19;
const kMargin = 30; // so near to an end of what is shown a line is not left

export class Inspector {
  readonly element: HTMLElement;
  private readonly facts: HTMLElement;
  private readonly source: HTMLElement;
  private file = -1; // that `source` shows
  private shown: [number, number] = [0, 0]; // lines of it
  private top = 0; // scrolled to
  private height = 0;

  constructor(
    private readonly model: Model,
    private readonly sources: Sources,
    private readonly go: (event: number) => void,
  ) {
    this.facts = el('div', { class: 'facts' });
    this.source = el('div', { class: 'source-pane', tabindex: '0', 'aria-label': 'source of the event' });
    this.source.addEventListener('scroll', () => (this.top = this.source.scrollTop), { passive: true });
    new ResizeObserver(() => {
      this.height = this.source.clientHeight;
      this.top = -this.height;
      this.centre();
    }).observe(this.source);
    this.element = el('aside', { class: 'inspector', 'aria-label': 'the selected event' }, this.facts, this.source);
  }

  clear(text: string) {
    this.facts.replaceChildren(el('p', { class: 'quiet' }, text));
    this.source.replaceChildren();
    this.file = -1;
  }

  show(event: number) {
    const { model } = this;
    const place = model.place(event);
    const path = place ? this.sources.path(place.file) : '';
    const rows: [string, Node | string][] = [];
    const what = [model.verb(event), model.locationName(event)].filter(Boolean).join(' ');
    const note = model.note(event);
    if (place?.function) rows.push(['in', place.function]);
    if (path) rows.push(['at', `${path}:${place?.line ?? 0}`]);
    const locks = model.locksAt(event);
    if (locks.length > 0) {
      const list = el('span', {});
      for (const span of locks) {
        const name = model.execution.locations[span.location]?.name ?? 'a lock';
        list.append(
          el('span', { class: 'lock-name' }, el('i', { class: `swatch hue-${hueOf(span.location)}` }), name),
          span.from >= 0 ? this.link(span.from, 'since') : '',
        );
      }
      rows.push(['holds', list]);
    }
    const before = model.before(event);
    if (before.length > 0) rows.push(['after', this.links(before)]);
    const after = model.after(event);
    if (after.length > 0) rows.push(['before', this.links(after)]);
    const writer = model.lastWriter(event);
    if (writer >= 0) rows.push(['reads what', this.links([writer])]);

    const list = el('dl', {});
    for (const [name, value] of rows) list.append(el('dt', {}, name), el('dd', {}, value));
    this.facts.replaceChildren(
      el(
        'p',
        { class: 'event-title' },
        el('span', { class: 'event-number' }, `#${model.number(event)}`),
        ' ',
        el('b', {}, model.threadTitle(model.thread(event))),
        ' ',
        what,
        note ? el('span', { class: 'quiet' }, ` (${note})`) : null,
      ),
      list,
    );
    this.showSource(event);
  }

  private showSource(event: number) {
    const place = this.model.place(event);
    const source = place ? this.sources.at(place.file) : undefined;
    if (!place || !source || source.chunks.length === 0) {
      this.source.replaceChildren(el('p', { class: 'quiet' }, 'no source text for this event'));
      this.file = -1;
      return;
    }
    const [first, last] = this.shown;
    if (place.file !== this.file || place.line < first + kMargin || place.line > last - kMargin) {
      const ranks = new Map<number, number[]>();
      this.model.keys.forEach((key, i) => {
        const at = this.model.place(key);
        if (!at || at.file !== place.file) return;
        ranks.set(at.line, [...(ranks.get(at.line) ?? []), i + 1]);
      });
      this.source.replaceChildren(
        el('div', { class: 'source-path' }, source.path),
        listing(source, { current: place.line, ranks }, kLinesAround),
      );
      this.file = place.file;
      this.top = -this.height;
      this.shown = [place.line - kLinesAround, place.line + kLinesAround];
    } else {
      this.source.querySelector('.is-current')?.classList.remove('is-current');
      this.source.querySelector(`[data-line="${place.line}"]`)?.classList.add('is-current');
    }
    this.centre();
  }

  // Where a line is follows from its number among those shown: to ask for it would lay out the page at every step.
  private centre() {
    const current = this.source.querySelector<HTMLElement>('.is-current');
    const index = current?.parentElement ? [...current.parentElement.children].indexOf(current) : -1;
    if (index < 0) return;
    const at = index * kLineHeight;
    if (at > this.top + kLineHeight && at < this.top + this.height - 4 * kLineHeight) return;
    this.top = Math.max(0, at - this.height / 2);
    this.source.scrollTop = this.top;
  }

  private links(events: number[]): HTMLElement {
    return el('span', {}, ...events.slice(0, 6).map((event) => this.link(event, this.describe(event))));
  }

  private describe(event: number): string {
    return `${this.model.threadTitle(this.model.thread(event))} ${this.model.verb(event)}`;
  }

  private link(event: number, text: string): HTMLElement {
    const button = el('button', { type: 'button', class: 'link' }, `${text} #${this.model.number(event)}`);
    button.addEventListener('click', () => this.go(event));
    return button;
  }
}

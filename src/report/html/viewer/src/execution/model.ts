// An execution as the view needs it: events by index, which of them are rows, and what belongs to an event.
import type { Execution, LockSpan, Place, Step } from '../document';

export type Mode = 'steps' | 'all';

export interface Filter {
  mode: Mode;
  text: string;
  location: number; // -1: any
  hidden: Set<number>; // threads
}

// A row shows an event, a step of several, what was left out between them, or where the threads stand at the end.
export type Row =
  | { kind: 'event'; event: number; step?: Step }
  | { kind: 'gap'; first: number; last: number; events: number }
  | { kind: 'end' };

export interface PlacedSpan extends LockSpan {
  lane: number;
}

const kMaxLanes = 4;

export class Model {
  readonly size: number;
  readonly keys: number[];
  readonly spans: PlacedSpan[];
  readonly lanes: number;
  private readonly numbers: Float64Array;
  private readonly writes: Set<number>;
  private readonly reads: Set<number>;
  private readonly keyRank = new Map<number, number>();
  private readonly orderTo = new Map<number, number[]>();
  private readonly orderFrom = new Map<number, number[]>();
  private readonly stepOf = new Map<number, Step>();
  private words: string[] | null = null; // of each place, for the filter
  expanded = new Set<number>(); // first events of gaps that are shown

  constructor(
    readonly execution: Execution,
    private readonly pathOf: (place: Place) => string,
    private readonly textOf: (place: Place) => string,
  ) {
    this.size = execution.events.thread.length;
    this.numbers = new Float64Array(this.size);
    let at = 0;
    for (const [first, length] of execution.runs) {
      for (let i = 0; i < length && at < this.size; ++i) this.numbers[at++] = first + i;
    }
    this.writes = new Set(execution.writes ?? []);
    this.reads = new Set(execution.reads ?? []);
    this.keys = [...(execution.key ?? [])].sort((a, b) => a - b);
    this.keys.forEach((event, rank) => this.keyRank.set(event, rank + 1));
    for (const [from, to] of execution.order ?? []) {
      push(this.orderTo, to, from);
      push(this.orderFrom, from, to);
    }
    for (const step of execution.steps ?? []) this.stepOf.set(step.event, step);
    this.spans = place(execution.locks ?? [], this.size);
    this.lanes = this.spans.reduce((most, span) => Math.max(most, span.lane + 1), 0);
  }

  number(event: number): number {
    return this.numbers[event] ?? 0;
  }
  thread(event: number): number {
    return this.execution.events.thread[event] ?? 0;
  }
  verb(event: number): string {
    return this.execution.verbs[this.execution.events.verb[event] ?? -1] ?? 'step';
  }
  locationIndex(event: number): number {
    return this.execution.events.location[event] ?? -1;
  }
  locationName(event: number): string {
    return this.execution.locations[this.locationIndex(event)]?.name ?? '';
  }
  note(event: number): string {
    return this.execution.notes?.[this.execution.events.note?.[event] ?? 0] ?? '';
  }
  place(event: number): Place | undefined {
    return this.execution.places[this.execution.events.place[event] ?? -1];
  }
  threadTitle(thread: number): string {
    const info = this.execution.threads[thread];
    return info?.title ?? info?.name ?? `thread ${thread}`;
  }
  isWrite(event: number): boolean {
    return this.writes.has(this.execution.events.verb[event] ?? -1);
  }
  isRead(event: number): boolean {
    return this.reads.has(this.execution.events.verb[event] ?? -1);
  }
  // 1, 2, … of the events without which the failure cannot be understood; 0 of others.
  rank(event: number): number {
    return this.keyRank.get(event) ?? 0;
  }
  isAbout(event: number): boolean {
    return (this.execution.about ?? []).includes(this.locationIndex(event));
  }
  before(event: number): number[] {
    return this.orderTo.get(event) ?? [];
  }
  after(event: number): number[] {
    return this.orderFrom.get(event) ?? [];
  }
  locksAt(event: number): PlacedSpan[] {
    const thread = this.thread(event);
    return this.spans.filter(
      (span) => span.thread === thread && span.from < event && (span.to < 0 || span.to >= event),
    );
  }

  // Who wrote last what this event reads, as far as it is known.
  lastWriter(event: number): number {
    const location = this.locationIndex(event);
    if (location < 0 || !this.isRead(event)) return -1;
    for (let i = event - 1; i >= 0; --i) {
      if (this.locationIndex(i) === location && this.isWrite(i)) return i;
    }
    return -1;
  }

  hasSteps(): boolean {
    return this.stepOf.size > 0;
  }

  rows(filter: Filter): Row[] {
    const rows: Row[] = [];
    const needle = filter.text.trim().toLowerCase();
    const shows = (event: number) =>
      !filter.hidden.has(this.thread(event)) &&
      (filter.location < 0 || this.locationIndex(event) === filter.location) &&
      (needle === '' || this.matches(event, needle));
    const isFiltered = needle !== '' || filter.location >= 0;
    const steps = filter.mode === 'steps' && !isFiltered && this.hasSteps();
    let covered = 0; // events that a row stands for already
    let gapBegin = -1;
    const closeGap = (end: number) => {
      if (gapBegin < 0) return;
      if (this.expanded.has(gapBegin)) {
        for (let i = gapBegin; i < end; ++i) if (shows(i)) rows.push({ kind: 'event', event: i });
      } else {
        let events = 0;
        for (let i = gapBegin; i < end; ++i) if (!filter.hidden.has(this.thread(i))) ++events;
        if (events > 0) rows.push({ kind: 'gap', first: gapBegin, last: end - 1, events });
      }
      gapBegin = -1;
    };
    for (let event = 0; event < this.size; ++event) {
      if (!steps) {
        if (shows(event)) rows.push({ kind: 'event', event });
        continue;
      }
      const step = this.stepOf.get(event);
      if (step && shows(event)) {
        closeGap(event);
        rows.push({ kind: 'event', event, step });
        covered = Math.max(covered, this.endOfStep(step));
      } else if (event >= covered) {
        if (gapBegin < 0) gapBegin = event;
      }
    }
    closeGap(this.size);
    if (!isFiltered && this.execution.threads.some((thread) => thread.end)) rows.push({ kind: 'end' });
    return rows;
  }

  // The events of a step follow each other in their thread, on one line.
  private endOfStep(step: Step): number {
    let left = step.events;
    let event = step.event;
    const thread = this.thread(step.event);
    for (; event < this.size && left > 0; ++event) {
      if (this.thread(event) !== thread) break;
      --left;
    }
    return event;
  }

  private matches(event: number, needle: string): boolean {
    this.words ??= this.execution.places.map((place) =>
      `${this.pathOf(place)}:${place.line} ${place.function} ${this.textOf(place)}`.toLowerCase(),
    );
    const place = this.execution.events.place[event] ?? -1;
    return (
      (this.words[place] ?? '').includes(needle) ||
      `${this.verb(event)} ${this.locationName(event)}`.toLowerCase().includes(needle) ||
      String(this.number(event)) === needle
    );
  }
}

function push(map: Map<number, number[]>, key: number, value: number) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

// Spans of a thread that overlap get lanes of their own, as far as there are lanes.
function place(locks: LockSpan[], size: number): PlacedSpan[] {
  const sorted = [...locks].sort((a, b) => a.from - b.from);
  const ends = new Map<number, number[]>(); // by thread: where each lane is free again
  return sorted.map((span) => {
    const lanes = ends.get(span.thread) ?? [];
    ends.set(span.thread, lanes);
    let lane = lanes.findIndex((end) => end <= span.from);
    if (lane < 0) lane = Math.min(lanes.length, kMaxLanes - 1);
    lanes[lane] = span.to < 0 ? size : span.to;
    return { ...span, lane };
  });
}

// The report document, as docs/report-document.md has it. Every part may be missing: a page shows what there is.

export interface Site {
  file: string;
  line: number;
  column?: number;
  function: string;
}

export interface Finding {
  kind: string;
  fingerprint: string;
  message: string;
  confirmed?: boolean;
  confirmation?: string;
  status?: 'new' | 'known' | 'unknown';
  test?: string;
  tests?: string[];
  words?: string[];
  executions_to_find?: number;
  occurrences?: number;
  seed?: number;
  pattern?: number;
  sites?: Site[];
  threads?: string[];
  schedule?: string;
}

export interface Revision {
  name?: string;
  commit?: string;
  working_tree?: boolean;
}

// What `--json` writes (docs/json.md): what is named here is what the page knows of it.
export interface Result {
  heddle?: string;
  command?: string;
  seconds?: number;
  executions?: number;
  complete?: boolean;
  findings?: Finding[];
  verdict?: string;
  error?: string;
  interrupted?: boolean;
  base?: Revision;
  head?: Revision;
  tested?: Test[];
  changed_files?: ChangedFile[];
  change_graph?: Graph;
  over_time?: { seconds: number; executions: number; findings: number; coverage: number }[];
  stages?: { name: string; seconds: number }[];
  notes?: string[];
  [own: string]: unknown;
}

export interface ThreadInfo {
  name: string;
  title?: string;
  takes_part?: boolean; // in the failure
  end?: { place?: Place; note?: string };
}

// The line of a code position that is of interest.
export interface Place {
  file: number; // into Document.sources; -1: none
  line: number;
  function: string;
  text?: string; // of the line
  changed?: boolean;
}

export interface LocationInfo {
  name: string;
}

export interface LockSpan {
  thread: number;
  location: number;
  from: number; // index of the event that takes it; -1: before the first one here
  to: number; // of the one that lets go of it; -1: held to the end
  shared?: boolean;
}

// Steps of source lines that tell how it came about.
export interface Step {
  event: number;
  events: number;
  operations: string;
}

export interface Execution {
  threads: ThreadInfo[];
  places: Place[];
  locations: LocationInfo[];
  verbs: string[];
  notes?: string[];
  // [number of the first, how many], of events that follow each other.
  runs: [number, number][];
  // One entry for each event: thread, place (-1: unknown), verb, location (-1: none), note (0: none).
  events: { thread: number[]; place: number[]; verb: number[]; location: number[]; note?: number[] };
  writes?: number[]; // verbs that write
  reads?: number[]; // verbs that read
  locks?: LockSpan[];
  order?: [number, number][]; // from event, to event: happens before
  key?: number[]; // events without which the failure cannot be understood
  about?: number[]; // locations that it is about
  steps?: Step[];
  left_out?: number; // events
}

// What an execution has shown of a finding.
export interface Evidence {
  details?: { text: string; lines?: string[] }[];
  notes?: string[];
  execution?: Execution;
}

export interface SourceChunk {
  first: number;
  lines: string[];
}

export interface Source {
  path: string;
  chunks: SourceChunk[];
  changed?: [number, number][]; // lines, both ends included
}

export interface ChangedFunction {
  name: string;
  line?: number;
  end?: number;
  how?: string;
}

export interface ChangedFile {
  file: string;
  before?: string;
  how?: string;
  changed_lines?: number[];
  functions?: ChangedFunction[];
  impacted_lines?: number[];
  impacted_accesses?: number;
}

export interface Test {
  name: string;
  selected?: boolean;
  outcome?: string;
  rank?: number;
  executions?: number;
  seconds?: number;
  complete?: boolean;
  tried_before?: boolean;
  plain?: boolean;
  reasons?: string[];
  trouble?: string;
  findings?: string[];
}

export interface GraphNode {
  kind?: string;
  text?: string;
  file?: string;
  line?: number;
  function?: string;
  reached?: boolean;
}

export interface Graph {
  nodes: GraphNode[];
  edges: { from: number; to: number; reached?: boolean }[];
}

export interface Document {
  heddle_report: number;
  result?: Result;
  evidence?: Record<string, Evidence>; // by fingerprint
  sources?: Source[];
}

export const kVersion = 1;

export function readDocument(): Document | null {
  const text = document.getElementById('heddle-report-document')?.textContent ?? 'null';
  return JSON.parse(text) as Document | null;
}

export function findingsOf(report: Document): Finding[] {
  return report.result?.findings ?? [];
}

export function testsOfFinding(finding: Finding): string[] {
  return finding.tests ?? (finding.test ? [finding.test] : []);
}

export function changeOf(report: Document): ChangedFile[] {
  return report.result?.changed_files ?? [];
}

export function graphOf(report: Document): Graph | undefined {
  return report.result?.change_graph;
}

// Tests as `check` lists them, or another command by its own.
export function testsOf(report: Document): Test[] {
  if (report.result?.tested) return report.result.tested;
  const own = report.result?.['tests'];
  if (!Array.isArray(own)) return [];
  return own.filter((test): test is Test => typeof test === 'object' && test !== null && 'name' in test);
}

export function lineOf(source: Source | undefined, line: number): string | undefined {
  for (const chunk of source?.chunks ?? []) {
    if (line >= chunk.first && line < chunk.first + chunk.lines.length) return chunk.lines[line - chunk.first];
  }
  return undefined;
}

export function isChanged(source: Source | undefined, line: number): boolean {
  return (source?.changed ?? []).some(([first, last]) => line >= first && line <= last);
}

// Charts of what was covered and explored, of whatever the result has numbers for.
import { type Document, findingsOf, graphOf, testsOf } from '../document';
import { el, svg } from '../dom';

const kWidth = 640;
const kHeight = 220;
const kLeft = 56;
const kBottom = 30;
const kMostBars = 40;

interface Chart {
  title: string;
  note?: string;
  kind: 'bars' | 'lines' | 'parts';
  x?: string;
  y?: string;
  labels?: string[]; // bars: one for each value
  series: { name: string; values?: number[]; points?: [number, number][]; of?: number }[];
}

export function chartsOf(report: Document): Chart[] {
  return [...parts(report), ...overTime(report), ...stages(report), ...byTest(report), ...toFind(report)];
}

// "x of y" wherever the result has them.
function parts(report: Document): Chart[] {
  const result = (report.result ?? {}) as Record<string, unknown>;
  const series: Chart['series'] = [];
  const add = (name: string, value: unknown, of: unknown) => {
    if (typeof value === 'number' && typeof of === 'number' && of > 0) series.push({ name, values: [value], of });
  };
  add('tests selected', result['selected'], result['of']);
  add('event combinations explored', result['explored'], result['explored_of']);
  const requirements = result['requirements'] as Record<string, unknown> | undefined;
  add('interleavings covered, of those feasible', requirements?.['covered'], requirements?.['feasible']);
  const graph = graphOf(report);
  const known = result['graph'] as Record<string, unknown> | undefined;
  if (graph) {
    add('changed statements reached', graph.nodes.filter((node) => node.reached).length, graph.nodes.length);
    add('edges of the change sequence graph reached', graph.edges.filter((edge) => edge.reached).length, graph.edges.length);
  } else {
    add('edges of the change sequence graph reached', known?.['edges_reached'], known?.['edges']);
  }
  return series.length === 0 ? [] : [{ title: 'Coverage', kind: 'parts', series }];
}

function overTime(report: Document): Chart[] {
  const counts = report.result?.over_time ?? [];
  if (counts.length < 2) return [];
  const chart = (title: string, y: string, value: (it: (typeof counts)[number]) => number): Chart => ({
    title,
    kind: 'lines',
    x: 'executions',
    y,
    series: [{ name: y, points: counts.map((it): [number, number] => [it.executions, value(it)]) }],
  });
  const charts: Chart[] = [];
  if (counts.some((it) => it.coverage > 0)) charts.push(chart('Coverage by executions', 'covered', (it) => it.coverage));
  if (counts.some((it) => it.findings > 0)) charts.push(chart('Findings by executions', 'findings', (it) => it.findings));
  charts.push(chart('Time by executions', 'seconds', (it) => it.seconds));
  return charts;
}

function stages(report: Document): Chart[] {
  const list = report.result?.stages ?? [];
  if (list.length < 2) return [];
  return [{ title: 'Where the time went', note: 'in seconds', kind: 'bars', labels: list.map((it) => it.name), series: [{ name: 'seconds', values: list.map((it) => it.seconds) }] }];
}

function byTest(report: Document): Chart[] {
  const tests = testsOf(report).filter((test) => (test.executions ?? 0) > 0);
  if (tests.length < 2) return [];
  tests.sort((a, b) => (b.executions ?? 0) - (a.executions ?? 0));
  const shown = tests.slice(0, kMostBars);
  return [
    {
      title: 'Executions of each test',
      note: tests.length > shown.length ? `the ${shown.length} with most, of ${tests.length}` : undefined,
      kind: 'bars',
      labels: shown.map((test) => test.name),
      series: [{ name: 'executions', values: shown.map((test) => test.executions ?? 0) }],
    },
  ];
}

function toFind(report: Document): Chart[] {
  const points = findingsOf(report)
    .map((finding) => finding.executions_to_find)
    .filter((value): value is number => value !== undefined)
    .sort((a, b) => a - b)
    .map((executions, i): [number, number] => [executions, i + 1]);
  if (points.length < 2 || (report.result?.over_time ?? []).some((it) => it.findings > 0)) return [];
  return [{ title: 'Findings by executions of their tests', kind: 'lines', x: 'executions', y: 'findings', series: [{ name: 'findings', points }] }];
}

export function chartsPage(report: Document): HTMLElement {
  return el(
    'article',
    { class: 'page' },
    el('h1', { tabindex: '-1' }, 'Coverage and exploration'),
    el('div', { class: 'charts' }, ...chartsOf(report).map(chartFigure)),
  );
}

function chartFigure(chart: Chart): HTMLElement {
  return el(
    'figure',
    { class: 'chart' },
    el('figcaption', {}, el('b', {}, chart.title), chart.note ? el('span', { class: 'quiet' }, ` ${chart.note}`) : null),
    chart.kind === 'parts' ? meters(chart) : chart.kind === 'bars' ? bars(chart) : lines(chart),
  );
}

function format(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}

function meters(chart: Chart): HTMLElement {
  return el(
    'div',
    { class: 'meters' },
    ...chart.series.map((part) => {
      const value = part.values?.[0] ?? 0;
      const of = part.of ?? 1;
      return el(
        'div',
        { class: 'meter' },
        el('span', { class: 'meter-name' }, part.name),
        el('span', { class: 'meter-bar', 'aria-hidden': 'true' }, el('i', { style: `width:${Math.min(100, (100 * value) / of)}%` })),
        el('span', { class: 'meter-value' }, `${format(value)} of ${format(of)}`),
      );
    }),
  );
}

function bars(chart: Chart): HTMLElement {
  const values = chart.series[0]?.values ?? [];
  const most = Math.max(1, ...values);
  return el(
    'table',
    { class: 'bars' },
    el(
      'tbody',
      {},
      ...values.map((value, i) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, chart.labels?.[i] ?? ''),
          el('td', { class: 'bar-cell' }, el('i', { style: `width:${(100 * value) / most}%` })),
          el('td', { class: 'number' }, format(value)),
        ),
      ),
    ),
  );
}

// Round numbers from 0 up, about five.
function ticks(most: number): number[] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].map((factor) => factor * power).find((it) => it >= rough) ?? rough, most >= 1 ? Math.min(1, most) : 0);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
}

function lines(chart: Chart): HTMLElement {
  const points = chart.series.flatMap((series) => series.points ?? []);
  const maxX = Math.max(1, ...points.map(([x]) => x));
  const maxY = Math.max(1, ...points.map(([, y]) => y));
  const x = (value: number) => kLeft + (value / maxX) * (kWidth - kLeft - 12);
  const y = (value: number) => kHeight - kBottom - (value / maxY) * (kHeight - kBottom - 14);
  const root = svg('svg', { viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'lines', role: 'img', 'aria-label': chart.title });
  for (const tick of ticks(maxY)) {
    root.append(
      svg('line', { class: 'axis', x1: kLeft, x2: kWidth - 12, y1: y(tick), y2: y(tick) }),
      svg('text', { class: 'axis-text', x: kLeft - 8, y: y(tick) + 4, 'text-anchor': 'end' }, format(tick)),
    );
  }
  for (const tick of ticks(maxX)) root.append(svg('text', { class: 'axis-text', x: x(tick), y: kHeight - 12, 'text-anchor': 'middle' }, format(tick)));
  if (chart.x) root.append(svg('text', { class: 'axis-text', x: kWidth - 12, y: kHeight, 'text-anchor': 'end' }, chart.x));
  chart.series.forEach((series, i) => {
    const path = (series.points ?? []).map(([px, py], n) => `${n === 0 ? 'M' : 'L'}${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ');
    root.append(svg('path', { class: `line hue-stroke-${i % 8}`, d: path }));
    if ((series.points ?? []).length <= 60)
      for (const [px, py] of series.points ?? []) root.append(svg('circle', { class: `dot hue-fill-${i % 8}`, cx: x(px), cy: y(py), r: 3 }, svg('title', {}, `${series.name}: ${format(px)}, ${format(py)}`)));
  });
  const table = el(
    'details',
    { class: 'quiet' },
    el('summary', {}, 'as numbers'),
    el(
      'table',
      { class: 'table' },
      el('thead', {}, el('tr', {}, ...['', chart.x ?? 'x', chart.y ?? 'y'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, ...chart.series.flatMap((series) => (series.points ?? []).map(([px, py]) => el('tr', {}, el('td', {}, series.name), el('td', { class: 'number' }, format(px)), el('td', { class: 'number' }, format(py)))))),
    ),
  );
  const legend = chart.series.length > 1 ? el('p', { class: 'legend' }, ...chart.series.map((series, i) => el('span', {}, el('i', { class: `swatch hue-${i % 8}` }), series.name))) : null;
  return el('div', {}, root, legend, table);
}

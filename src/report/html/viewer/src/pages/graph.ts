// The change sequence graph: changed statements and outputs, and how execution gets from one to the next.
import { type Document, type Graph, type GraphNode, graphOf } from '../document';
import { count, el, svg } from '../dom';
import { listing, type Sources } from '../sources';

const kWidth = 230;
const kHeight = 46;
const kGapX = 36;
const kGapY = 54;

export function graphPage(report: Document, sources: Sources): HTMLElement {
  const graph = graphOf(report) ?? { nodes: [], edges: [] };
  const reached = graph.edges.filter((edge) => edge.reached).length;
  const knowsReached = graph.edges.some((edge) => edge.reached !== undefined);
  const pane = el('aside', { class: 'inspector', 'aria-live': 'polite' }, el('p', { class: 'quiet' }, 'Choose a statement to see it in its source.'));
  return el(
    'article',
    { class: 'page' },
    el('h1', { tabindex: '-1' }, 'Change sequences'),
    el(
      'p',
      { class: 'quiet' },
      `${count(graph.nodes.length, 'statement')}, ${count(graph.edges.length, 'edge')}` +
        (knowsReached ? `, ${reached} of them executed by an input (solid)` : ''),
    ),
    el('div', { class: 'execution-body graph-body' }, el('div', { class: 'graph', tabindex: '0', 'aria-label': 'change sequence graph' }, draw(graph, (node) => show(node, sources, pane))), pane),
  );
}

function show(node: GraphNode, sources: Sources, pane: HTMLElement) {
  const source = node.file ? sources.find(node.file) : undefined;
  pane.replaceChildren(
    el('p', { class: 'event-title' }, el('b', {}, node.kind ?? 'statement'), node.function ? ` in ${node.function}` : ''),
    el('p', { class: 'quiet' }, node.file ? `${node.file}:${node.line ?? 0}` : ''),
    source && node.line ? el('div', { class: 'source-pane' }, listing(source, { current: node.line }, 20)) : el('pre', {}, node.text ?? ''),
  );
}

// Layers by the longest way from a node without predecessors; edges that close a circle do not count.
function layersOf(graph: Graph): number[][] {
  const next = new Map<number, number[]>();
  for (const edge of graph.edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  const state = new Map<number, 'open' | 'done'>();
  const order: number[] = [];
  const forward = new Map<number, number[]>();
  const visit = (root: number) => {
    const stack: { id: number; at: number }[] = [{ id: root, at: 0 }];
    state.set(root, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const to = (next.get(top.id) ?? [])[top.at++];
      if (to === undefined) {
        state.set(top.id, 'done');
        order.unshift(top.id);
        stack.pop();
      } else if (state.get(to) !== 'open') {
        forward.set(top.id, [...(forward.get(top.id) ?? []), to]);
        if (!state.has(to)) {
          state.set(to, 'open');
          stack.push({ id: to, at: 0 });
        }
      }
    }
  };
  graph.nodes.forEach((_, id) => {
    if (!state.has(id)) visit(id);
  });
  const depth = new Map<number, number>();
  for (const id of order) {
    const own = depth.get(id) ?? 0;
    for (const to of forward.get(id) ?? []) depth.set(to, Math.max(depth.get(to) ?? 0, own + 1));
  }
  const layers: number[][] = [];
  graph.nodes.forEach((_, id) => (layers[depth.get(id) ?? 0] ??= []).push(id));
  return sortLayers(layers, graph);
}

// A node stands about where its predecessors do.
function sortLayers(layers: number[][], graph: Graph): number[][] {
  const before = new Map<number, number[]>();
  for (const edge of graph.edges) before.set(edge.to, [...(before.get(edge.to) ?? []), edge.from]);
  const position = new Map<number, number>();
  for (const layer of layers) {
    const weight = (id: number) => {
      const known = (before.get(id) ?? []).map((from) => position.get(from)).filter((at) => at !== undefined);
      return known.length === 0 ? Infinity : known.reduce((sum, at) => sum + at, 0) / known.length;
    };
    const weights = new Map(layer.map((id) => [id, weight(id)]));
    layer.sort((a, b) => (weights.get(a)! === weights.get(b)! ? 0 : weights.get(a)! - weights.get(b)!));
    layer.forEach((id, i) => position.set(id, i - (layer.length - 1) / 2));
  }
  return layers;
}

function draw(graph: Graph, choose: (node: GraphNode) => void): SVGElement {
  const layers = layersOf(graph).filter(Boolean);
  const widest = Math.max(1, ...layers.map((layer) => layer.length));
  const width = widest * (kWidth + kGapX) + 2 * kGapX;
  const height = layers.length * (kHeight + kGapY) + 20;
  const at = new Map<number, { x: number; y: number }>();
  layers.forEach((layer, row) =>
    layer.forEach((id, i) => {
      const begin = (width - layer.length * (kWidth + kGapX) + kGapX) / 2;
      at.set(id, { x: begin + i * (kWidth + kGapX), y: 10 + row * (kHeight + kGapY) });
    }),
  );
  const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group' });
  root.append(
    svg('defs', {}, svg('marker', { id: 'graph-tip', class: 'tip-order', viewBox: '0 0 8 8', refX: '7', refY: '4', markerWidth: '7', markerHeight: '7', orient: 'auto' }, svg('path', { d: 'M0,0 L8,4 L0,8 z' }))),
  );
  for (const edge of graph.edges) {
    const from = at.get(edge.from);
    const to = at.get(edge.to);
    if (!from || !to) continue;
    root.append(
      svg(
        'path',
        {
          class: `graph-edge edge-to${edge.reached === false ? ' is-open' : ''}`,
          d: edgePath(from, to),
          'marker-end': 'url(#graph-tip)',
        },
        svg('title', {}, edge.reached === false ? 'no input went along it' : 'an input went along it'),
      ),
    );
  }
  graph.nodes.forEach((node, id) => {
    const where = at.get(id);
    if (!where) return;
    const group = svg('g', { class: `graph-node node-${node.kind ?? 'change'}${node.reached === false ? ' is-open' : ''}`, tabindex: '0', role: 'button', transform: `translate(${where.x},${where.y})` });
    group.append(
      svg('title', {}, node.text ?? ''),
      svg('rect', { width: kWidth, height: kHeight, rx: 5 }),
      svg('text', { x: 10, y: 18, class: 'graph-text' }, cut(node.text || `${node.file ?? ''}:${node.line ?? 0}`, 30)),
      svg('text', { x: 10, y: 35, class: 'graph-where' }, cut([node.function, node.line ? `line ${node.line}` : ''].filter(Boolean).join(', '), 36)),
    );
    group.addEventListener('click', () => choose(node));
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose(node);
    });
    root.append(group);
  });
  return root;
}

function edgePath(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const x1 = from.x + kWidth / 2;
  const y1 = from.y + kHeight;
  const x2 = to.x + kWidth / 2;
  if (to.y - from.y > kHeight + kGapY && Math.abs(to.x - from.x) < kWidth) {
    // Past others in between: around the left side.
    const side = Math.min(from.x, to.x) - 30;
    const y = from.y + kHeight / 2;
    return `M${from.x},${y} C${side},${y + 20} ${side},${to.y + kHeight / 2 - 20} ${to.x - 1},${to.y + kHeight / 2}`;
  }
  if (to.y > from.y) {
    const bend = (to.y - y1) / 2;
    return `M${x1},${y1} C${x1},${y1 + bend} ${x2},${to.y - bend} ${x2},${to.y - 1}`;
  }
  // Back up: around the right side.
  const side = Math.max(from.x, to.x) + kWidth + 22;
  const y2 = to.y + kHeight / 2;
  return `M${from.x + kWidth},${from.y + kHeight / 2} C${side},${from.y + kHeight / 2} ${side},${y2} ${to.x + kWidth + 1},${y2}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

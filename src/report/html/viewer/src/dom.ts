// Elements made in one expression. Text only ever becomes text: nothing of a report is read as markup.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en')} ${noun}${amount === 1 ? '' : 's'}`;
}

export function seconds(value: number): string {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 90) return `${value.toFixed(1)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

// Text with words in backticks, as heddle's sentences have them for names of the program.
export function prose(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  text.split(/`([^`]+)`/).forEach((part, i) => fragment.append(i % 2 === 1 ? el('code', {}, part) : part));
  return fragment;
}

let announcer: HTMLElement | null = null;

// Says something to who cannot see it.
export function announce(text: string) {
  if (!announcer) {
    announcer = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
    document.body.append(announcer);
  }
  announcer.textContent = text;
}

// A command, and a button that copies it.
export function copyable(text: string, label: string): HTMLElement {
  const button = el('button', { type: 'button', class: 'copy', 'aria-label': `copy: ${text}` }, 'copy');
  button.addEventListener('click', () => {
    void copyText(text).then((done) => {
      button.textContent = done ? 'copied' : 'select it';
      announce(done ? 'copied' : 'copying is not allowed here');
      setTimeout(() => (button.textContent = 'copy'), 1500);
    });
  });
  return el('div', { class: 'command' }, el('span', { class: 'command-label' }, label), el('code', {}, text), button);
}

// A page from a file has no clipboard interface in every browser.
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { class: 'unseen' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

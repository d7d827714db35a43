// Pages by the part of the address behind '#': "#finding/0123abcd", "#tests?q=bank".

export interface Route {
  page: string;
  argument: string;
  query: URLSearchParams;
}

export function currentRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/');
  return { page: page || 'overview', argument: decode(rest.join('/')), query: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function linkTo(page: string, argument = '', query: Record<string, string> = {}): string {
  const words = new URLSearchParams(query).toString();
  return `#${page}${argument ? `/${encodeURIComponent(argument)}` : ''}${words ? `?${words}` : ''}`;
}

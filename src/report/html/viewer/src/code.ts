// Source text with calm colours: keywords, strings, numbers, comments. No parser; a line is looked at by itself.
import { el } from './dom';

const kKeywords = new Set(
  (
    'alignas auto bool break case catch char class co_await co_return co_yield const constexpr const_cast continue ' +
    'decltype default delete do double dynamic_cast else enum explicit extern false float for friend if inline int ' +
    'long mutable namespace new noexcept nullptr operator override private protected public reinterpret_cast return ' +
    'short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try ' +
    'typedef typename union unsigned using virtual void volatile while'
  ).split(' '),
);

const kToken = /(\/\/.*$)|(\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\b\d[\w.']*)|([A-Za-z_]\w*)|(^\s*#\s*\w+)/g;

export function codeLine(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let done = 0;
  for (const match of text.matchAll(kToken)) {
    const [token, comment, block, string, number, word, directive] = match;
    const kind = comment || block ? 'c' : string ? 's' : number ? 'n' : directive ? 'k' : '';
    const style = kind || (word && kKeywords.has(word) ? 'k' : '');
    if (!style) continue;
    if (match.index > done) fragment.append(text.slice(done, match.index));
    fragment.append(el('span', { class: `t-${style}` }, token));
    done = match.index + token.length;
  }
  if (done < text.length) fragment.append(text.slice(done));
  return fragment;
}

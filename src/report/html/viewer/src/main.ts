// The report's page: a list of what there is, and one part of it at a time.
import './style/main.css';
import { changeOf, type Document, findingsOf, graphOf, kVersion, readDocument, testsOf } from './document';
import { announce, copyText, el, prose } from './dom';
import { type ExecutionView, kKeys } from './execution/view';
import { changePage } from './pages/change';
import { chartsOf, chartsPage } from './pages/charts';
import { findingPage, replayCommand } from './pages/finding';
import { findingTable, sortedFindings } from './pages/findings';
import { graphPage } from './pages/graph';
import { overviewPage, subject, verdictOf } from './pages/overview';
import { testsPage } from './pages/tests';
import { printedReport } from './print';
import { currentRoute, linkTo } from './router';
import { Sources } from './sources';
import { applyTheme, nextTheme, themeName } from './theme';

class App {
  private readonly sources: Sources;
  private readonly main = el('main', { id: 'main' });
  private readonly nav = el('nav', { 'aria-label': 'parts of the report' });
  private readonly help = this.keyHelp();
  private readonly theme = el('button', { type: 'button', class: 'quiet-button' });
  private view: ExecutionView | null = null;
  private command = '';

  constructor(
    private readonly report: Document,
    private readonly root: HTMLElement,
  ) {
    this.sources = new Sources(report);
  }

  start() {
    document.title = `${verdictOf(this.report).text} – ${subject(this.report)} – heddle`;
    this.theme.addEventListener('click', () => this.switchTheme());
    this.labelTheme();
    const keys = el('button', { type: 'button', class: 'quiet-button' }, 'keys');
    keys.addEventListener('click', () => this.help.showModal());
    this.root.replaceChildren(
      el('a', { class: 'skip', href: '#main', 'onclick': (event: MouseEvent) => this.skip(event) }, 'to the content'),
      el(
        'header',
        { class: 'top' },
        el('a', { class: 'brand', href: linkTo('overview') }, 'heddle'),
        el('span', { class: 'subject' }, subject(this.report)),
        el('span', { class: 'top-buttons' }, keys, this.theme),
      ),
      this.nav,
      this.main,
      this.help,
    );
    window.addEventListener('hashchange', () => this.show(true));
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('beforeprint', () => this.print());
    window.addEventListener('afterprint', () => document.querySelector('.printed')?.remove());
    this.show(false);
  }

  private skip(event: MouseEvent) {
    event.preventDefault();
    this.main.querySelector<HTMLElement>('h1')?.focus();
  }

  private show(moves: boolean) {
    const route = currentRoute();
    this.view = null;
    this.command = '';
    let after = () => {};
    let page: HTMLElement;
    const finding = findingsOf(this.report).find((it) => it.fingerprint === route.argument);
    if (route.page === 'finding' && finding) {
      const made = findingPage(this.report, finding, this.sources);
      page = made.page;
      this.view = made.view;
      this.command = replayCommand(finding);
    } else if (route.page === 'findings') {
      page = el('article', { class: 'page' }, el('h1', { tabindex: '-1' }, 'Findings'), findingTable(this.report));
    } else if (route.page === 'tests') {
      const made = testsPage(this.report, route.argument, route.query.get('q') ?? '');
      page = made.page;
      after = made.reveal;
    } else if (route.page === 'change') {
      page = changePage(this.report, route.argument, this.sources);
    } else if (route.page === 'graph' && graphOf(this.report)) {
      page = graphPage(this.report, this.sources);
    } else if (route.page === 'charts') {
      page = chartsPage(this.report);
    } else {
      page = overviewPage(this.report);
    }
    this.main.replaceChildren(page);
    window.scrollTo(0, 0);
    this.drawNav(route.page, route.argument);
    if (moves) page.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    if (this.view) this.view.attached();
    after();
  }

  private drawNav(page: string, argument: string) {
    const link = (text: string, to: string, isHere: boolean, more?: string) =>
      el('a', { href: to, 'aria-current': isHere ? 'page' : null }, el('span', {}, text), more ? el('span', { class: 'quiet' }, more) : null);
    const findings = sortedFindings(this.report);
    const list = el('ul', { class: 'nav-findings' });
    for (const finding of findings.slice(0, 200)) {
      const isHere = page === 'finding' && argument === finding.fingerprint;
      list.append(
        el(
          'li',
          {},
          el(
            'a',
            { href: linkTo('finding', finding.fingerprint), title: finding.message, 'aria-current': isHere ? 'page' : null },
            el('span', { class: `nav-kind${finding.status === 'new' ? ' is-new' : ''}` }, finding.kind),
            el('span', { class: 'nav-message' }, prose(finding.message)),
          ),
        ),
      );
    }
    const tests = testsOf(this.report);
    const files = changeOf(this.report).length;
    this.nav.replaceChildren(
      link('Overview', linkTo('overview'), page === 'overview'),
      findings.length > 0 ? link('Findings', linkTo('findings'), page === 'findings', String(findings.length)) : '',
      findings.length > 0 ? list : '',
      tests.length > 0 ? link('Tests', linkTo('tests'), page === 'tests', String(tests.length)) : '',
      files > 0 ? link('Change', linkTo('change'), page === 'change', String(files)) : '',
      graphOf(this.report) ? link('Change sequences', linkTo('graph'), page === 'graph') : '',
      chartsOf(this.report).length > 0 ? link('Charts', linkTo('charts'), page === 'charts') : '',
      el('p', { class: 'made quiet' }, this.report.result?.heddle ? `heddle ${this.report.result.heddle}` : ''),
    );
    this.nav.querySelector('.nav-findings [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
      if (event.key === 'Escape') {
        target.blur();
        this.view?.focus();
        this.view?.key('Escape');
      }
      return;
    }
    if (event.key === '?') this.help.showModal();
    else if (event.key === 't') this.switchTheme();
    else if (event.key === 'c' && this.command)
      void copyText(this.command).then((done) => announce(done ? 'replay command copied' : 'copying is not allowed here'));
    else if (!this.view || !this.stepsFrom(target, event.key) || !this.view.key(event.key)) return;
    event.preventDefault();
  }

  // Keys that something else on the page has a use for are left to it.
  private stepsFrom(target: HTMLElement, key: string): boolean {
    if (/^(A|BUTTON|SUMMARY)$/.test(target.tagName) && (key === 'Enter' || key === ' ')) return false;
    return target.closest('.source-pane') === null || key.length === 1;
  }

  private switchTheme() {
    announce(`colours: ${nextTheme()}`);
    this.labelTheme();
  }

  private labelTheme() {
    this.theme.textContent = `colours: ${themeName()}`;
  }

  private keyHelp(): HTMLDialogElement {
    const close = el('button', { type: 'button' }, 'close');
    const dialog = el(
      'dialog',
      { class: 'keys', 'aria-label': 'keys' },
      el('h2', {}, 'Keys in the interleaving'),
      el('dl', {}, ...kKeys.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])),
      close,
    );
    close.addEventListener('click', () => dialog.close());
    return dialog;
  }

  private print() {
    document.querySelector('.printed')?.remove();
    document.body.append(printedReport(this.report, this.sources));
  }
}

applyTheme();
const root = document.getElementById('app')!;
const report = readDocument();
if (!report) {
  root.append(el('p', { class: 'page' }, 'This page has no report in it: heddle puts one in when it writes the file.'));
} else if (report.heddle_report > kVersion) {
  root.append(el('p', { class: 'page' }, `This report has version ${report.heddle_report}, and its page knows ${kVersion}.`));
} else {
  new App(report, root).start();
}

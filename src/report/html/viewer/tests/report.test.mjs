// What a reader does with a report, in Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sampleReport } from './fixture.mjs';
import { launch, writePage } from './page.mjs';

const kFindings = { assertion: 'a'.repeat(16), deadlock: 'b'.repeat(16), race: 'c'.repeat(16) };

let browser;
let url;
let page;
const troubles = [];

before(async () => {
  browser = await launch();
  url = writePage(sampleReport());
  page = await newPage();
});

after(async () => {
  await browser?.close();
  assert.deepEqual(troubles, []);
});

async function newPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const opened = await context.newPage();
  opened.on('pageerror', (error) => troubles.push(String(error)));
  opened.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  opened.on('request', (request) => /^https?:/.test(request.url()) && troubles.push(`asks for ${request.url()}`));
  return opened;
}

async function open(hash) {
  await page.goto('about:blank');
  await page.goto(url + hash);
}

const text = (selector) => page.locator(selector).first().innerText();
const selectedNumber = () => text('.row.is-selected .grid-number');

test('the overview tells the verdict, and leads to a finding', async () => {
  await open('');
  assert.equal(await text('h1'), '2 new findings, in 3 of 40 tests');
  assert.match(await page.title(), /deposits-without-lock against main/);
  await page.locator('main table a', { hasText: 'wait for each other' }).click();
  assert.equal(await text('h1'), 'main/1 and main/2 wait for each other');
  assert.match(await text('.row-end'), /waits for audit_lock, which main\/2 holds/);
  assert.match(await text('.command code'), /^heddle replay .*bbbbbbbb\.schedule$/);
});

test('text of a program is text', async () => {
  await open(`#finding/${kFindings.assertion}`);
  assert.match(await text('h1'), /<\/script><script>/);
  assert.notEqual(await page.title(), 'broken');
  assert.match(await text('.command code'), /it'\\''s\.schedule'$/);
});

test('keys step through the interleaving', async () => {
  await open(`#finding/${kFindings.assertion}`);
  assert.equal(await selectedNumber(), '1004', 'it begins with what the failure takes');
  await page.keyboard.press('n');
  assert.equal(await selectedNumber(), '1006');
  assert.match(await text('.facts'), /main\/2 \(teller\)\s+read savings/);
  await page.keyboard.press('ArrowDown');
  assert.equal(await selectedNumber(), '1007');
  await page.keyboard.press('o');
  assert.equal(await selectedNumber(), '1008');
  assert.equal(await text('.listing-line.is-current .listing-number'), '26');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await selectedNumber(), '1004', 'the same thread');
  await page.keyboard.press('End');
  assert.match(await text('.row.is-selected'), /assertion failed/);
  await page.keyboard.press('Home');
  assert.equal(await selectedNumber(), '1000');
  const active = await page.locator('.grid').getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
});

test('changed lines and what the failure takes are marked', async () => {
  await open(`#finding/${kFindings.assertion}`);
  assert.equal(await page.locator('.cell.is-key').count(), 4);
  assert.equal(await page.locator('.cell.is-key.is-changed .delta').count(), 4);
  assert.equal(await page.locator('.listing-line.is-changed').count(), 6);
});

test('what is not shown can be opened, and all of it', async () => {
  await open(`#finding/${kFindings.deadlock}`);
  assert.match(await text('.row-gap'), /2 events not shown/);
  await page.locator('.row-gap').click();
  assert.equal(await page.locator('.row-gap').count(), 0);
  assert.match(await text('.row-event'), /start thread/);
  await open(`#finding/${kFindings.assertion}`);
  await page.getByRole('button', { name: 'show all events' }).click();
  assert.match(await text('.shown'), /^12 of 12 events/);
  assert.equal(await page.locator('.arrow').count(), 4, 'two threads start and are joined');
});

test('locks are spans, and a lock shows only what is done with it', async () => {
  await open(`#finding/${kFindings.deadlock}`);
  assert.equal(await page.locator('.lock').count(), 2);
  assert.equal(await page.locator('.lock').first().getAttribute('title'), 'main/1 holds accounts_lock');
  await page.getByRole('button', { name: 'accounts_lock', exact: true }).click();
  assert.equal(await page.locator('.row-event').count(), 1);
  await page.locator('.grid').focus();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.row-event').count(), 2);
});

test('of many threads only those that take part are shown at first', async () => {
  const report = sampleReport({ events: 100 });
  report.evidence[kFindings.race].execution.threads.forEach((thread, i) => (thread.takes_part = i === 1 || i === 2));
  await page.goto(`${writePage(report)}#finding/${kFindings.race}`);
  await page.keyboard.press('a');
  assert.deepEqual(await page.locator('.grid-thread').allInnerTexts(), ['main/1', 'main/2']);
  assert.match(await text('.shown'), /3 threads hidden/);
  await page.locator('.menu summary').click();
  await page.getByLabel('main/3').check();
  assert.deepEqual(await page.locator('.grid-thread').allInnerTexts(), ['main/1', 'main/2', 'main/3']);
});

test('a filter narrows the events down', async () => {
  await open(`#finding/${kFindings.race}`);
  await page.keyboard.press('/');
  await page.keyboard.type('bank::deposit');
  assert.match(await text('.shown'), /^1 of 10,002 events/);
  assert.match(await text('.row-event .source'), /savings = before \+ amount/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  assert.match(await text('.shown'), /^2 of 10,002 events/);
});

test('source shows on hover', async () => {
  await open(`#finding/${kFindings.deadlock}`);
  await page.locator('.row-event .cell').first().hover();
  await page.locator('.hint').waitFor();
  assert.match(await text('.hint'), /lock accounts_lock[\s\S]*void transfer/);
});

test('a finding leads to its test, with the reasons', async () => {
  await open(`#finding/${kFindings.assertion}`);
  await page.locator('.shown-by a').click();
  assert.equal(await text('h1'), '3 of 40 tests selected');
  assert.match(await text('tr.is-chosen'), /bank\.deposit[\s\S]*failed[\s\S]*calls bank::transfer, which is changed/);
  await page.getByLabel('which tests').selectOption('not selected');
  assert.equal(await page.locator('tbody tr').count(), 37);
  assert.match(await text('tbody tr'), /executes nothing that the change impacts/);
  await page.getByLabel('filter tests').fill('format_36');
  assert.equal(await page.locator('tbody tr').count(), 1);
});

test('change, graph and charts are drawn', async () => {
  await open('#change');
  assert.match(await text('.change-file'), /bank::deposit[\s\S]*13 impacted accesses/);
  await open('#graph');
  assert.equal(await page.locator('.graph-node').count(), 5);
  assert.equal(await page.locator('.graph-edge.is-open').count(), 2);
  await page.locator('.graph-node').nth(2).focus();
  await page.keyboard.press('Enter');
  assert.match(await text('.listing-line.is-current'), /savings = before \+ amount;/);
  await open('#charts');
  assert.match(await text('.charts'), /tests selected\s+3 of 40/);
  assert.ok((await page.locator('svg.lines').count()) >= 2);
});

test('light and dark, by the system and by the reader', async () => {
  const dark = await newPage({ colorScheme: 'dark' });
  await dark.goto(url);
  const lightness = () => dark.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number)[0]);
  assert.ok((await lightness()) < 80);
  await dark.keyboard.press('t');
  assert.ok((await lightness()) > 200);
  await dark.context().close();
});

test('a narrow window needs no scrolling sideways', async () => {
  const narrow = await newPage({ viewport: { width: 390, height: 800 } });
  for (const hash of ['', `#finding/${kFindings.deadlock}`, '#tests', '#change', '#charts']) {
    await narrow.goto(url + hash);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), hash);
  }
  await narrow.context().close();
});

test('all of it is printed', async () => {
  await open(`#finding/${kFindings.deadlock}`);
  await page.pdf({ format: 'A4' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const printed = await page.locator('.printed').evaluate((element) => element.textContent);
  for (const part of ['2 new findings', 'wait for each other', 'waits for audit_lock', 'bank.audit', 'Coverage'])
    assert.ok(printed.includes(part), part);
});

test('a report of one command, with nothing but its result, is shown', async () => {
  const bare = writePage({ heddle_report: 1, result: { heddle: '0.1.0', command: 'explore', executions: 7, complete: true, findings: [] } });
  await page.goto(bare);
  assert.equal(await text('h1'), 'Nothing was found');
  const later = writePage({ heddle_report: 99 });
  await page.goto(later);
  assert.match(await text('#app'), /version 99/);
});

// What the page's thread has computed, in ms: other work on the machine does not count.
async function cpuClock() {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
}

test('10,000 events open at once and step without lag', async (t) => {
  await page.goto(`${url}#overview`);
  const cpu = await cpuClock();
  const before = await cpu();
  await page.reload();
  await page.goto(`${url}#finding/${kFindings.race}`);
  await page.locator('.row-event').first().waitFor();
  const opened = (await cpu()) - before;

  await page.keyboard.press('a');
  await page.keyboard.press('Home');
  assert.match(await text('.shown'), /^10,002 of 10,002 events/);
  assert.ok((await page.locator('.row').count()) < 150, 'only what is in sight is drawn');
  const kSteps = 200;
  const begin = await cpu();
  // In the page itself, so that the wire to the browser does not count. Each step is laid out before the next one.
  await page.evaluate((count) => {
    const grid = document.querySelector('.grid');
    for (let i = 0; i < count; ++i) {
      grid.dispatchEvent(new KeyboardEvent('keydown', { key: i % 4 === 3 ? 'PageDown' : 'ArrowDown', bubbles: true, cancelable: true }));
      grid.getBoundingClientRect();
    }
  }, kSteps);
  const step = ((await cpu()) - begin) / kSteps;
  t.diagnostic(`CPU time of the page: ${opened.toFixed(0)} ms to open, ${step.toFixed(1)} ms for a step`);
  assert.ok(opened < 2000, `${opened} ms to open`);
  assert.ok(step < 50, `${step} ms for a step`);
});

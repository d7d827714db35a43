// The page with a document in it, and the browser that opens it.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const kBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const kEmpty = '<script type="application/json" id="heddle-report-document">null</script>';

export function launch() {
  const executablePath = process.env.CHROMIUM ?? kBrowsers.find((path) => existsSync(path));
  if (!executablePath) throw new Error('there is no Chromium: scripts/install-packages installs it, or set CHROMIUM');
  // Tests run as root in containers, where Chromium's sandbox cannot.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

// As src/report/html/html_report.cpp does it.
function pageWith(document) {
  const bundle = readFileSync(new URL('../dist/report.html', import.meta.url), 'utf8');
  const json = JSON.stringify(document).replaceAll('<', '\\u003c');
  return bundle.replace(kEmpty, () => kEmpty.replace('null', () => json));
}

// The address of a file with the page.
export function writePage(document) {
  const file = join(mkdtempSync(join(process.env.TEST_TMPDIR ?? tmpdir(), 'heddle-report-')), 'report.html');
  writeFileSync(file, pageWith(document));
  return pathToFileURL(file).href;
}

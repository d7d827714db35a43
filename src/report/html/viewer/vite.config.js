// Builds the viewer into one HTML file, dist/report.html: script and style are put into the page itself, so that a
// report can be mailed, kept and opened without a network.
import { defineConfig } from 'vite';

function inlineEverything() {
  return {
    name: 'heddle-inline',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith('.html'));
      let html = String(page.source);
      for (const file of Object.values(bundle)) {
        if (file === page) continue;
        const text = String(file.type === 'chunk' ? file.code : file.source);
        if (/<\/(script|style)/i.test(text)) this.error(`${file.fileName} would end its own element`);
        const name = file.fileName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const link = new RegExp(`\\s*<link[^>]*href="[^"]*${name}"[^>]*>`);
        const script = new RegExp(`\\s*<script[^>]*src="[^"]*${name}"[^>]*></script>`);
        if (link.test(html)) {
          html = html.replace(link, () => `\n<style>\n${text.trim()}\n</style>`);
        } else if (script.test(html)) {
          // Behind the document, which it reads at once.
          html = html.replace(script, '').replace('</body>', () => `<script>\n${text.trim()}\n</script>\n</body>`);
        } else {
          this.error(`${file.fileName} is not used by the page`);
        }
        delete bundle[file.fileName];
      }
      page.source = html;
      page.fileName = 'report.html';
    },
  };
}

export default defineConfig({
  base: './',
  logLevel: 'warn',
  plugins: [inlineEverything()],
  build: {
    outDir: process.env.HEDDLE_VIEWER_OUT ?? 'dist',
    emptyOutDir: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    target: 'es2022',
    rollupOptions: { output: { format: 'iife' } },
  },
});

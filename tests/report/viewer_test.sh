#!/bin/sh
# usage: viewer_test.sh VIEWER_FOLDER WORK_FOLDER
# The page of the HTML report: its sources are sound, the committed bundle is what they give, and it does in Chromium
# what it should. Everything happens in a copy, so that the source folder stays as it is.
set -eu

viewer=$1
work=$2

fail() {
  echo "viewer_test: $*" >&2
  exit 1
}

command -v node >/dev/null && command -v npm >/dev/null ||
  fail "node or npm is missing; scripts/install-packages installs them (building heddle itself needs neither)"

mkdir -p "$work"
cd "$work"
rm -rf src tests dist pages
mkdir pages
export TEST_TMPDIR="$work/pages"
cp -R "$viewer/src" "$viewer/tests" "$viewer/dist" "$viewer/index.html" "$viewer/tsconfig.json" \
  "$viewer/vite.config.js" "$viewer/package.json" .

# Installed anew only if other packages are wanted. Scripts of packages are not run: none is needed.
if ! cmp -s "$viewer/package-lock.json" package-lock.installed; then
  rm -f package-lock.installed
  cp "$viewer/package-lock.json" package-lock.json
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1 || {
    tail -n 20 npm.log >&2
    fail "npm could not install what package-lock.json lists; is its registry ($(npm config get registry 2>/dev/null)) reachable?"
  }
  cp package-lock.json package-lock.installed
fi

node_modules/.bin/tsc --noEmit || fail "the viewer's sources have errors"

mv dist/report.html committed.html
node_modules/.bin/vite build || fail "the viewer cannot be built"
cmp -s committed.html dist/report.html ||
  fail "dist/report.html is not what the sources give: run 'npm ci && npm run build' in $viewer and commit it"

exec node --test tests/

// A report document with everything in it, made up: a lost update, a deadlock, and a race in a long execution.

const kBank = `#include "bank.h"

namespace bank {

std::mutex accounts_lock, audit_lock;
long savings = 0;
long checking = 0;

// Moves money; a transfer is one unit of work.
void transfer(long amount) {
  std::lock_guard accounts(accounts_lock);
  std::lock_guard audit(audit_lock);
  savings -= amount;
  checking += amount;  // both, or none
}

long total() {
  std::lock_guard audit(audit_lock);
  std::lock_guard accounts(accounts_lock);
  return savings + checking;
}

void deposit(long amount) {
  const long before = savings;
  log("deposit of", amount);
  savings = before + amount;
}

}  // namespace bank
`.split('\n');

const place = (line, name) => ({ file: 0, line, function: name });
const kVerbs = ['read', 'write', 'lock', 'unlock', 'start thread', 'join', 'begin'];
const kReads = [0];
const kWrites = [1];

// [thread, place, verb, location] for each event.
function execution(threads, places, locations, events, more) {
  return {
    threads,
    places,
    locations,
    verbs: kVerbs,
    reads: kReads,
    writes: kWrites,
    runs: [[1000, events.length]],
    events: {
      thread: events.map((event) => event[0]),
      place: events.map((event) => event[1]),
      verb: events.map((event) => event[2]),
      location: events.map((event) => event[3]),
    },
    ...more,
  };
}

function lostUpdate() {
  return execution(
    [{ name: 'main', end: { place: place(20, 'bank::total'), note: 'assertion failed: savings == 20' } }, { name: 'main/1', title: 'main/1 (teller)' }, { name: 'main/2', title: 'main/2 (teller)' }],
    [place(21, 'main'), place(24, 'bank::deposit'), place(26, 'bank::deposit'), place(25, 'log')],
    [{ name: 'savings' }],
    [[0, 0, 4, -1], [1, -1, 6, -1], [0, 0, 4, -1], [2, -1, 6, -1], [1, 1, 0, 0], [1, 3, 0, -1], [2, 1, 0, 0], [2, 2, 1, 0], [1, 2, 1, 0], [0, 0, 5, -1], [0, 0, 5, -1], [0, 0, 0, 0]],
    {
      key: [4, 6, 7, 8],
      about: [0],
      order: [[0, 1], [2, 3], [8, 9], [7, 10]],
      steps: [
        { event: 0, events: 1, operations: '' },
        { event: 4, events: 1, operations: 'read' },
        { event: 6, events: 1, operations: 'read' },
        { event: 7, events: 1, operations: 'write' },
        { event: 8, events: 1, operations: 'write' },
        { event: 11, events: 1, operations: 'read' },
      ],
    },
  );
}

function deadlock() {
  return execution(
    [{ name: 'main' }, { name: 'main/1', end: { place: place(12, 'bank::transfer'), note: 'waits for audit_lock, which main/2 holds' } }, { name: 'main/2', end: { place: place(19, 'bank::total'), note: 'waits for accounts_lock, which main/1 holds' } }],
    [place(11, 'bank::transfer'), place(12, 'bank::transfer'), place(18, 'bank::total'), place(19, 'bank::total')],
    [{ name: 'accounts_lock' }, { name: 'audit_lock' }],
    [[0, -1, 4, -1], [0, -1, 4, -1], [1, 0, 2, 0], [2, 2, 2, 1]],
    {
      key: [2, 3],
      about: [0, 1],
      locks: [{ thread: 1, location: 0, from: 2, to: -1 }, { thread: 2, location: 1, from: 3, to: -1 }],
      steps: [{ event: 2, events: 1, operations: 'lock' }, { event: 3, events: 1, operations: 'lock' }],
    },
  );
}

// `length` events of four threads that take and release locks.
function longRace(length) {
  const events = [];
  const locks = [];
  const order = [];
  let last = -1;
  while (events.length < length - 2) {
    const thread = 1 + ((events.length / 5) % 4 | 0);
    const lock = 1 + ((events.length / 10) % 2 | 0);
    const begin = events.length;
    if (last >= 0) order.push([last, begin]);
    events.push([thread, 0, 2, lock], [thread, 1, 0, 0], [thread, 2, 1, 0], [thread, 3, 0, 3], [thread, 3, 3, lock]);
    locks.push({ thread, location: lock, from: begin, to: begin + 4 });
    last = begin + 4;
  }
  events.push([1, 4, 1, 0], [2, 5, 0, 0]);
  const key = [events.length - 2, events.length - 1];
  return execution(
    ['main', 'main/1', 'main/2', 'main/3', 'main/4'].map((name) => ({ name, takes_part: true })),
    [place(11, 'bank::transfer'), place(13, 'bank::transfer'), place(13, 'bank::transfer'), place(14, 'bank::transfer'), place(26, 'bank::deposit'), place(20, 'bank::total')],
    [{ name: 'savings' }, { name: 'accounts_lock' }, { name: 'audit_lock' }, { name: 'checking' }],
    events,
    { key, about: [0], locks, order, steps: key.map((event, i) => ({ event, events: 1, operations: i === 0 ? 'write' : 'read' })) },
  );
}

const finding = (kind, fingerprint, message, more) => ({ kind, fingerprint, message, confirmed: true, confirmation: 'executed', status: 'new', ...more });

const node = (kind, line, text, name) => ({ kind, file: 'src/bank.cpp', line, column: 3, function: name, text, reached: true });

function findings() {
  const folder = '/home/me/bank/.heddle/findings';
  return [
    finding('assertion', 'aaaaaaaaaaaaaaaa', 'savings == 20 does not hold: `savings` is 10 </script><script>document.title="broken"</script>', {
      tests: ['bank.deposit'],
      executions_to_find: 17,
      schedule: `${folder}/heddle-assertion it's.schedule`,
      sites: [{ file: 'src/bank.cpp', line: 26, column: 3, function: 'bank::deposit' }],
      threads: ['main', 'main/1', 'main/2'],
    }),
    finding('deadlock', 'bbbbbbbbbbbbbbbb', 'main/1 and main/2 wait for each other', {
      tests: ['bank.transfer', 'bank.audit'],
      executions_to_find: 42,
      schedule: `${folder}/heddle-deadlock-bbbbbbbb.schedule`,
      sites: [{ file: 'src/bank.cpp', line: 12, column: 3, function: 'bank::transfer' }, { file: 'src/bank.cpp', line: 19, column: 3, function: 'bank::total' }],
    }),
    finding('race', 'cccccccccccccccc', 'bank::deposit writes `savings` while bank::total reads it', {
      status: 'known',
      tests: ['bank.audit'],
      executions_to_find: 3,
      schedule: `${folder}/heddle-race-cccccccc.schedule`,
      sites: [{ file: 'src/bank.cpp', line: 26, column: 3, function: 'bank::deposit' }],
    }),
  ];
}

export function sampleReport({ events = 10_000 } = {}) {
  const tests = ['bank.transfer', 'bank.deposit', 'bank.audit'].map((name, i) => ({
    name,
    selected: true,
    outcome: i < 2 ? 'failed' : 'passed',
    rank: i + 1,
    executions: [42, 17, 400][i],
    seconds: 0.4 * (i + 1),
    reasons: ['covers the pair bank::deposit bank.cpp:26 and bank::total bank.cpp:19', 'calls bank::transfer, which is changed', 'reads savings, which the change writes without a lock'].slice(0, i + 1),
  }));
  for (let i = 0; i < 37; ++i) tests.push({ name: `report.format_${i}`, selected: false, outcome: 'not-selected', rank: i + 4, reasons: ['executes nothing that the change impacts'] });
  return {
    heddle_report: 1,
    result: {
      heddle: '0.1.0',
      command: 'check',
      seconds: 48.2,
      executions: 459,
      complete: false,
      verdict: '2 new findings, in 3 of 40 tests',
      base: { name: 'main', commit: '1234567' },
      head: { name: 'deposits-without-lock', commit: '89abcde' },
      selected: 3,
      of: 40,
      explored: 318,
      explored_of: 402,
      notes: ['report.format_3 was not reached for lack of time'],
      findings: findings(),
      tested: tests,
      changed_files: [
        {
          file: 'src/bank.cpp',
          how: 'changed',
          changed_lines: [18, 23, 24, 25, 26, 27],
          functions: [{ name: 'bank::deposit', line: 23, end: 27, how: 'changed' }, { name: 'bank::total', line: 17, end: 21, how: 'changed' }],
          impacted_lines: [20, 24, 26],
          impacted_accesses: 13,
        },
        { file: 'src/log.cpp', how: 'added', changed_lines: [1, 2, 3], functions: [{ name: 'bank::log', line: 1, end: 3, how: 'added' }] },
      ],
      change_graph: {
        nodes: [
          node('change', 24, 'const long before = savings;', 'bank::deposit'),
          node('change', 25, 'log("deposit of", amount);', 'bank::deposit'),
          node('change', 26, 'savings = before + amount;', 'bank::deposit'),
          node('interaction', 20, 'return savings + checking;', 'bank::total'),
          node('output', 11, 'print(total());', 'main'),
        ],
        edges: [[0, 1, true], [0, 2, true], [1, 2, true], [2, 0, false], [2, 3, true], [1, 3, false], [3, 4, true]].map(([from, to, reached]) => ({ from, to, reached })),
      },
      over_time: [[0, 0, 0, 0], [2.5, 20, 1, 40], [8, 80, 2, 71], [20, 200, 2, 80], [46, 459, 3, 83]].map(([seconds, executions, found, coverage]) => ({ seconds, executions, findings: found, coverage })),
      stages: [{ name: 'build', seconds: 21.3 }, { name: 'select', seconds: 1.2 }, { name: 'test', seconds: 25.7 }],
    },
    evidence: {
      aaaaaaaaaaaaaaaa: { details: [{ text: '`savings` was read by main/1 before main/2 wrote it, and written after.', lines: ['#0  bank::deposit  src/bank.cpp:26', '#1  worker  tests/bank_test.cpp:12'] }], execution: lostUpdate() },
      bbbbbbbbbbbbbbbb: { details: [{ text: 'main/1 holds accounts_lock and waits for audit_lock.' }, { text: 'main/2 holds audit_lock and waits for accounts_lock.' }], execution: deadlock() },
      cccccccccccccccc: { execution: longRace(events) },
    },
    sources: [{ path: 'src/bank.cpp', chunks: [{ first: 1, lines: kBank }], changed: [[18, 18], [23, 27]] }],
  };
}

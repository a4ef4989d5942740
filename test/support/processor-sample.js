// Prints the milliseconds of processor time that a fixed piece of work takes here and now (event-loop.ts): objects from
// a text, an order, a text again, as a service does. In a process of its own, whose heap is always the same.

const text = JSON.stringify(
  Array.from({ length: 10_000 }, (_, n) => ({ id: `item ${n}`, name: 'wörter '.repeat(8), n })),
);

function sample() {
  const before = process.cpuUsage();
  const rows = JSON.parse(text);
  rows.sort((a, b) => (a.id < b.id ? 1 : -1));
  JSON.stringify(rows);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const COUNT = 21;
const times = Array.from({ length: COUNT }, sample).sort((a, b) => a - b);
console.log(times[(COUNT - 1) / 2]);

import type { Compared } from './rounds.js';

const LEFT = 330;
const WIDTH = 900;
const ROW = 44;
const TOP = 64;
const BAR = 14;
const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Speed of the service as a multiple of each baseline's, on a logarithmic scale. */
export function chart(results: readonly Compared[]): string {
  const height = TOP + results.length * ROW + 24;
  const bottom = height - 20;
  const ticks = TICKS.map((value) => {
    const x = place(value);
    const kind = value === 1 ? 'one' : 'tick';
    return `<line class="${kind}" x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${bottom}"/><text class="scale" x="${x}" y="${TOP - 14}">${value}×</text>`;
  });
  const rows = results.map((result, n) => drawRow(result, TOP + n * ROW));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Speed of the service as a multiple of two baselines">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .scale { text-anchor: middle; font-size: 11px; fill: #59636e; }
  .light { fill: #4c8dd6; } .fair { fill: #2f9e6e; }
  .tick { stroke: #d1d9e0; } .one { stroke: #59636e; stroke-width: 2; }
  .bound { stroke: #d1242f; stroke-width: 2; }
  .paper { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .scale { fill: #9198a1; } .paper { fill: #0d1117; }
    .tick { stroke: #3d444d; } .one { stroke: #9198a1; }
  }
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
<rect class="light" x="16" y="12" width="12" height="12"/><text x="34" y="22">against the light baseline</text>
<rect class="fair" x="216" y="12" width="12" height="12"/><text x="234" y="22">against the fair baseline</text>
<line class="bound" x1="416" x2="416" y1="10" y2="26"/><text x="424" y="22">target</text>
${[...ticks, ...rows].join('\n')}
</svg>
`;
}

function drawRow({ operation, ratios }: Compared, y: number): string {
  const title = operation.title.replaceAll('`', '');
  const label = `<text x="${LEFT - 12}" y="${y + 20}" text-anchor="end">${title}</text>`;
  const bars = (['light', 'fair'] as const).flatMap((name, n) => {
    const ratio = ratios[name];
    const bound = operation[name];
    if (ratio === null || bound === null) return [];
    const top = y + n * (BAR + 2);
    // Latencies are turned over: longer bars are better everywhere.
    const speed = operation.compares === 'rate' ? ratio : 1 / ratio;
    const target = place(operation.compares === 'rate' ? bound : 1 / bound);
    const [from, to] = [Math.min(place(1), place(speed)), Math.max(place(1), place(speed))];
    return [
      `<rect class="${name}" x="${from}" y="${top}" width="${round(Math.max(to - from, 1))}" height="${BAR}"/>`,
      `<text class="value" x="${round(to + 5)}" y="${top + 11}" font-size="11">${speed.toFixed(2)}×</text>`,
      `<line class="bound" x1="${target}" x2="${target}" y1="${top - 1}" y2="${top + BAR + 1}"/>`,
    ];
  });
  return [label, ...bars].join('\n');
}

/** Where a ratio lies on the scale. */
function place(ratio: number): number {
  const [least = 0.1, most = 100] = [TICKS[0], TICKS.at(-1)];
  const share = Math.log(Math.min(Math.max(ratio, least), most) / least) / Math.log(most / least);
  return round(LEFT + share * (WIDTH - LEFT - 60));
}

const round = (value: number): number => Math.round(value * 10) / 10;

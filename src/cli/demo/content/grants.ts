import { collection, page } from './items.js';

export const grants = [
  page(
    'How to apply',
    `
# How to apply

Write one page: who rides, where the bike stays at night, who mends a flat tyre. We answer within
three weeks.
`,
  ),
  collection(
    'Applications',
    page(
      'Riverside primary school',
      `
# Riverside primary school

Two bikes for the walking bus on rainy days. A teacher and the caretaker ride. **Granted**, from
April on.
`,
    ),
    page(
      'Allotment club North',
      `
# Allotment club North

One bike for soil and tools. The shed has no lock yet. **Waiting** for the lock.
`,
    ),
  ),
  collection(
    'Reports',
    page(
      'The first year',
      `
# The first year

Nine bikes, 14,200 km, two stolen, one of them found. The clubs ask for trailers.
`,
    ),
  ),
];

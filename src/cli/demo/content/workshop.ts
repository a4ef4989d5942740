import { collection, page } from './items.js';

export const workshop = [
  page(
    'Rules of the bench',
    `
# Rules of the bench

Goggles. One person speaks, one writes. What broke stays on the table until it has a page here.
`,
  ),
  collection(
    'Prototypes',
    page(
      'Bench with belts, number 1',
      `
# Bench with belts, number 1

Anchors tear out at 2.1 kN, and need 3.0. Next: a plate behind the board.
`,
    ),
    page(
      'Bench with belts, number 2',
      `
# Bench with belts, number 2

The plate holds 3.4 kN. Folding takes two hands now; Cleo's daughter needs help with it.
`,
    ),
  ),
  page(
    'Shopping list',
    `
# Shopping list

- M6 threaded inserts, 200
- Webbing, 38 mm, 50 m
- A second torque wrench, please
`,
  ),
];

import { collection, page } from './items.js';

export const leadership = [
  collection(
    'Board',
    page(
      'Minutes, January',
      `
# Minutes, January

Present: Ada, the board. Ben for item 3.

1. The year before: 3,140 bikes, 6 % more than planned.
2. The lease of the depot is renewed for eight years.
3. Carrier 3 ships in March. The board asks for the fatigue report first.
`,
    ),
    page(
      'Risks',
      `
# Risks

| Risk | What we do |
| --- | --- |
| One supplier of motors | second source in test until summer |
| Batteries that travel by air | none do any more |
| Everybody knows the presses only by Dev | two apprentices from September |
`,
    ),
  ),
  collection(
    'Plans',
    page(
      'Hiring',
      `
# Hiring

Two mechanics, one engineer for batteries, somebody for the desk on Saturdays.
`,
    ),
    page(
      'A second hall',
      `
# A second hall

Not this year. We look again when we build more than 80 bikes a week for a quarter.
`,
    ),
  ),
];

import { collection, page } from './items.js';

export const handbook = [
  page(
    'Welcome to Lumen',
    `
# Welcome to Lumen

We make electric cargo bikes that replace the second car. There are 42 of us, in one hall that used
to be a tram depot.

Start here:

1. Read *Your first week*.
2. Find the person who shows you around: their name is on your desk.
3. Ride every bike in the hall once. Helmets hang at the door.
`,
  ),
  collection(
    'Getting started',
    page(
      'Your first week',
      `
# Your first week

| Day | What | With whom |
| --- | --- | --- |
| Monday | Keys, laptop, a tour of the hall | Cleo |
| Tuesday | Build a wheel | Dev |
| Wednesday | Answer ten letters from customers | whoever is at the desk |
| Thursday | Ride to a customer and listen | Ben |
| Friday | Tell us what was confusing, and mend one page of this handbook | everybody |
`,
    ),
    page(
      'Tools and accounts',
      `
# Tools and accounts

- **Mail and calendar**: you have them already.
- **This wiki**: everybody reads the handbook; ask an editor where something is wrong.
- **The parts catalogue**: ask Dev for an account.

Nobody shares a password. If a tool makes you, tell Ben.
`,
    ),
    page(
      'Who does what',
      `
# Who does what

- **Ada** runs the company.
- **Ben** decides what we build, and looks after the foundation.
- **Cleo** looks after people and this handbook.
- **Dev** leads the workshop.
`,
    ),
  ),
  collection(
    'How we work',
    page(
      'Meetings',
      `
# Meetings

A meeting has a question, and ends with its answer. Whoever called it writes the answer down where
the others look for it. No question, no meeting.

The whole company meets on the first Monday of a month, at ten, standing.
`,
    ),
    page(
      'Decisions',
      `
# Decisions

Whoever is closest decides, after asking those whom it touches. A decision that is hard to undo gets
a page: *what*, *why*, *what else we looked at*, *when we look again*.
`,
    ),
    collection(
      'Writing',
      page(
        'House style',
        `
# House style

Short sentences. The thing that acts comes first. A number has a unit. A date is written 2026-03-14.

> Write it so that somebody who starts on Monday understands it.
`,
      ),
      page(
        'Letters to customers',
        `
# Letters to customers

Say what we will do and when, then why it happened. Never the other way round. Sign with your own
name.
`,
      ),
    ),
  ),
  collection(
    'Time off',
    page(
      'Holidays',
      `
# Holidays

25 days a year, and the days between the years. Tell your team four weeks before two weeks or more;
for less, a week is enough.
`,
    ),
    page(
      'When you are ill',
      `
# When you are ill

Stay at home and write one line to your team. From the fourth day on we need a note from a doctor.
`,
    ),
    page(
      'Parental leave',
      `
# Parental leave

Six months at full pay for each parent, within the first two years. Talk to Cleo as early as you
like.
`,
    ),
  ),
];

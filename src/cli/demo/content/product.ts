import { collection, page } from './items.js';

export const product = [
  page(
    'Roadmap',
    `
# Roadmap

| Quarter | What | State |
| --- | --- | --- |
| Q1 | Carrier 3: a lower step | shipped |
| Q2 | Quick-release battery | in testing |
| Q3 | Child bench with five-point belts | designing |
| Q4 | Winter package | an idea |
`,
  ),
  collection(
    'Carrier 3',
    page(
      'Why a lower step',
      `
# Why a lower step

Of 61 people whom we watched at a kerb, 38 put a foot down on the wrong side at first. With the step
at 38 cm instead of 51 it was 4.

**Decision (2026-01-19):** 38 cm, although the frame gains 400 g.
`,
    ),
    page(
      'Specification',
      `
# Specification

- Frame: 6061 aluminium, 7.9 kg
- Motor: 85 Nm, mid-drive
- Battery: 625 Wh, second one optional
- Payload: 200 kg with rider
- Turning circle: 4.6 m
`,
    ),
    collection(
      'Tests',
      page(
        'Brakes in the wet',
        `
# Brakes in the wet

From 25 km/h with 180 kg: 5.8 m (limit 7.0 m). Ten stops in a row: 6.1 m. Pads glaze after 14.
`,
      ),
      page(
        'Fatigue of the frame',
        `
# Fatigue of the frame

250,000 cycles at 1.4 times the load. No crack. The third frame is on the bench until 2026-04-02.
`,
      ),
    ),
  ),
  collection(
    'Quick-release battery',
    page(
      'The problem',
      `
# The problem

People live on the third floor and charge in the kitchen. The battery weighs 3.9 kg and takes two
hands and a key.
`,
    ),
    page(
      'Ideas',
      `
# Ideas

- [x] Handle that is the latch
- [x] Lock that works with the key of the frame
- [ ] Light that shows which way round
- [ ] Cover against rain while it is out
`,
    ),
  ),
  collection(
    'Research',
    page(
      'Interviews, February',
      `
# Interviews, February

Twelve families, forty minutes each.

1. Nobody fears the hill. Everybody fears the tram tracks.
2. "Where do I put it at night?" comes before the price.
3. Grandparents ride it more than we thought: 5 of 12.
`,
    ),
    page(
      'What others build',
      `
# What others build

Three makers have a step below 45 cm. None has a bench that folds flat *and* holds belts.
`,
    ),
  ),
];

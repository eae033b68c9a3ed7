// A drag of the legend moves one end of the scale of sizes, but never past the other end.

import { expect, test } from 'bun:test'
import { draggedTo } from './contrast.ts'

const AUTO = { cutOff: { lowest: null, highest: null }, faintest: 10, highest: 1_000 }
const CHOSEN = { cutOff: { lowest: 40, highest: 90 }, faintest: 40, highest: 90 }

test.each([
  [AUTO, 'highest', 4, { lowest: null, highest: 4_000 }],
  [AUTO, 'highest', 1 / 3, { lowest: null, highest: 330 }],
  [AUTO, 'lowest', 2, { lowest: 20, highest: null }],
  [CHOSEN, 'highest', 1 / 100, { lowest: 40, highest: 60 }],
  [CHOSEN, 'lowest', 100, { lowest: 60, highest: 90 }],
  [CHOSEN, 'lowest', 1e-9, { lowest: null, highest: 90 }],
] as const)('%j, %s × %p', (now, end, factor, cutOff) => {
  expect(draggedTo(now, end, factor)).toEqual(cutOff)
})

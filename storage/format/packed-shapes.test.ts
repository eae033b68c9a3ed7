// Shapes are read back as they were stored; the same bytes give the same list of objects.

import { expect, test } from 'bun:test'
import { packText } from './columns/packed.ts'
import { packShapes, unpackShapes } from './packed-shapes.ts'
import type { Shape } from './shape.ts'

const shape = (kind: Shape['kind']): Shape => ({
  ...{ kind, envelopeType: null, parts: ['{"a":', { slot: 0 }, '}'], slots: [{ list: -1, isQuoted: false }] },
  ...{ listCount: 0, hasReceivedMs: false, hasSid: false, hasSeq: false, timeSlot: -1 },
  ...{ changes: null, levels: [], best: null, trade: null },
})

test('a list in its order', () => {
  const [one, two] = [shape('trade'), shape('other')]
  expect(unpackShapes(packShapes([one, two]))).toEqual([one, two])
  expect(unpackShapes(packShapes([two, one]))).toEqual([two, one])
  expect(unpackShapes(packShapes([]))).toEqual([])
})

test('the same bytes give the same objects, and bytes that change later do not change them', () => {
  const bytes = packShapes([shape('trade')]).slice()
  const read = unpackShapes(bytes)
  expect(unpackShapes(bytes.slice())).toBe(read)
  bytes.fill(0)
  expect(unpackShapes(packShapes([shape('trade')]))).toEqual(read)
})

test('more lists than are cached', () => {
  for (let i = 0; i < 300; i++) {
    const each = { ...shape('other'), parts: [`{"n":${i}}`] }
    expect(unpackShapes(packShapes([each]))).toEqual([each])
  }
})

test('bytes that are not a list are damage', () => {
  expect(() => unpackShapes(packText(Uint8Array.of(0x05)))).toThrow('block has no list of shapes')
})

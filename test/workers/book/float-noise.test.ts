// A price or size that a program printed from a double is read as the multiple of 1e-6 that the program meant. Other
// values are not rounded. The slow model reads the same.

import { expect, test } from 'bun:test'
import { toMicros } from '../../../workers/book/level-columns.ts'
import { textMicros } from '../../../workers/bytes/decimal-micros.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { amount, ONE } from '../../model/exact.ts'
import type { JsonObject } from '../../model/json.ts'
import { capture, kalshiSnapshot, NOW, received, TICKER } from '../../model/lines.ts'
import { loadTexts } from '../../model/model.ts'
import { withStore } from '../../support/store.ts'
import { expectSameRecords } from '../load/model-comparison.ts'

const modelMicros = (text: string): number => {
  const units = amount(text)
  return units === undefined ? Number.NaN : Number(units / (ONE / 1_000_000n))
}

const SPACING = Float64Array.of(0)
/** Returns the double that is `spacings` spacings of doubles above `value`. */
function after(value: number, spacings: number): number {
  SPACING[0] = value
  const bits = new BigInt64Array(SPACING.buffer)
  bits[0] = bits[0]! + BigInt(spacings)
  return SPACING[0]!
}

test('printed doubles around multiples of 1e-6', () => {
  const random = new Random(1, 'noise')
  for (let i = 0; i < 20_000; i++) {
    const value = random.between(1, 10 ** random.between(1, 15)) / 1e6
    const text = String(after(value, random.between(-4, 4)))
    const micros = textMicros(text)
    expect([text, micros]).toEqual([text, modelMicros(text)])
  }
})

test.each([
  ['0.41000000000000003', 410_000],
  ['0.5700000000000001', 570_000],
  ['0.409999999', 410_000],
  ['0.4099999989', Number.NaN],
  ['0.4000000005', 400_000],
  ['0.40000049', Number.NaN],
  ['1e-9', 0],
  ['-1e-17', -0],
  ['2e-9', Number.NaN],
  ['0.0000005', Number.NaN],
  ['1.0000000000000002', 1_000_000],
  ['33554432.10000001', 33_554_432_100_000],
  ['33554432.10000003', Number.NaN],
])('%s', (text, micros) => {
  expect(textMicros(text)).toBe(micros)
  expect(modelMicros(text) + 0).toBe(micros + 0)
})

test('a column of decimals gives the same values as its texts', () => {
  const random = new Random(2, 'noise')
  for (const scale of [7, 8, 9, 10, 12, 15]) {
    const near = () => random.below(1_000) * 10 ** (scale - 6) + random.between(-3, 3) * 10 ** Math.max(0, scale - 10)
    const values = Float64Array.from({ length: 500 }, near)
    const texts = Array.from(values, (value) => `${value < 0 ? '-' : ''}${Math.abs(value)}e-${scale}`)
    const slot = { form: 'decimal', scale, style: 'fixed', values, places: null } as const
    const micros = toMicros({ slot, rows: undefined, mayBeCents: false })
    expect(Array.from(micros, (value) => value + 0)).toEqual(texts.map((text) => textMicros(text) + 0))
  }
})

test('records with noisy numbers keep the numbers as they were printed', () =>
  withStore(async (store) => {
    const { msg } = kalshiSnapshot([])
    const levels = {
      yes_dollars_fp: [
        [0.1 + 0.2, 100],
        [0.41000000000000003, 5],
      ],
      no_dollars_fp: [[0.57 + 1e-16, 33.3]],
    }
    const lines: JsonObject[] = [
      received(0, { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { ...msg, ...levels } }),
      received(1, { type: 'orderbook_snapshot', sid: 1, seq: 2, msg: { ...msg, ...levels } }),
    ]
    const text = capture(...lines)
    await store.loadLines('noise', text.split('\n'))
    await expectSameRecords(store, loadTexts([text], NOW))
    expect((await store.printed('kalshi', TICKER))[0]).toContain('[[0.30000000000000004,100],[0.41000000000000003,5]]')
  }))

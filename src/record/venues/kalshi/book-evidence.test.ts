// Compares evidence against a book of Kalshi with a slow model that looks at whole books after each venue time.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { delta, KalshiScene, snapshot } from '../../../../test/support/venues/kalshi-scene.ts'

type Change = { side: 'yes' | 'no'; tenths: number | null; size: number; step: number }

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    side: fc.constantFrom('yes' as const, 'no' as const),
    tenths: fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 2, max: 7 }) }, fc.constant(null)),
    size: fc.integer({ min: -3, max: 4 }),
    step: fc.constantFrom(0, 0, 1),
  }),
  { minLength: 1, maxLength: 12 },
)

/** Returns the first evidence, or null. A crossed book counts only if the next change has a later venue time. */
function modelOf(all: readonly Change[]): string | null {
  const book: Record<'yes' | 'no', number[]> = { yes: Array(10).fill(0), no: Array(10).fill(0) }
  book.yes[4] = 5
  for (const [index, { side, tenths, size }] of all.entries()) {
    if (tenths === null) return 'unreadable_change'
    if (book[side][tenths]! + size < 0) return 'below_zero'
    book[side][tenths]! += size
    const isLast = all[index + 1]?.step === 1
    const isCrossed = book.yes.some((yes, i) => yes > 0 && book.no.some((no, j) => no > 0 && i + j >= 10))
    if (isLast && isCrossed) return 'crossed'
  }
  return null
}

test('the evidence is the first that the model finds', async () => {
  const holds = (all: Change[]) => {
    const scene = new KalshiScene()
    scene.begin()
    let ms = 1_786_410_000_000
    let seq = 3
    for (const { side, tenths, size, step } of all) {
      ms += step
      const { msg, ...rest } = delta('A', seq++, `${size}.00`)
      const price = tenths === null ? null : `0.${tenths}000`
      scene.read({ ...rest, msg: { ...msg, side, price_dollars: price, ts_ms: ms } })
    }
    expect(scene.contradictions[0]?.[1] ?? null).toBe(modelOf(all))
    expect(scene.contradictions.length).toBeLessThanOrEqual(1)
    expect(scene.requestedSnapshots.flat()).toEqual(scene.contradictions.map(([book]) => book))
  }
  fc.assert(fc.property(changes, holds), { numRuns: 1_000 })
})

test('evidence ends with a snapshot, and with the loss or removal of the book', () => {
  for (const end of [
    (scene: KalshiScene) => scene.read(snapshot('A', 4)),
    (scene: KalshiScene) => scene.read(delta('B', 9)),
    (scene: KalshiScene) => scene.session.remove(['A']),
    (scene: KalshiScene) => scene.session.close(),
  ]) {
    const scene = new KalshiScene()
    scene.begin()
    scene.read(delta('A', 3, '-9.00'))
    end(scene)
    expect(scene.contradictions).toEqual([
      ['A', 'below_zero'],
      ['A', null],
    ])
  }
})

test('venue times are compared in microseconds', () => {
  const scene = new KalshiScene()
  scene.begin()
  const at = (micros: string) => ({ ts: `2026-08-11T00:00:00.000${micros}Z`, ts_ms: 1_786_410_000_000 })
  const of = (seq: number, side: string, price: string, micros: string) => {
    const { msg, ...rest } = delta('A', seq)
    return { ...rest, msg: { ...msg, side, price_dollars: price, ...at(micros) } }
  }
  scene.read(of(3, 'no', '0.6000', '001'), of(4, 'no', '0.1000', '001'))
  expect(scene.contradictions).toEqual([])
  scene.read(of(5, 'no', '0.1000', '002'))
  expect(scene.contradictions).toEqual([['A', 'crossed']])
})

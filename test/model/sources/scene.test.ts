// Whatever the sources captured, own records stay as they are. The order of loading and earlier deletions do not
// matter. At every instant, the answers are those of the layer shown.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { seeds } from '../../run/effort.ts'
import { shownAsks, shownBids } from '../book.ts'
import { readCapture } from '../capture.ts'
import { NOW } from '../lines.ts'
import { ModelStore } from '../model.ts'
import { bookAt, printLevels } from '../questions/book-at.ts'
import { bookChanges } from '../questions/book-changes.ts'
import { tradesIn } from '../questions/trades.ts'
import { DAY_MS } from './layered-lines.ts'
import { LayeredModel } from './layered-model.ts'
import { type LayeredScene, layeredScene, type SceneStep } from './scene.ts'
import { booksAt } from './shown.ts'
import { sourceAt } from './spans.ts'

function loadScene({ sources }: LayeredScene, steps: SceneStep[]): LayeredModel {
  const model = new LayeredModel({ sources })
  for (const step of steps) {
    if (step.do === 'delete') model.delete(step.source)
    else model.load(step.capture.source, readCapture(step.capture.name, step.capture.text), NOW)
  }
  return model
}

const onlyOf = ({ captures }: LayeredScene, isWanted: (source: string | null) => boolean): SceneStep[] =>
  captures.filter(({ source }) => isWanted(source)).map((capture) => ({ do: 'load', capture }))

function everything(model: LayeredModel, { venue, market, books }: LayeredScene) {
  return model.dates(venue, market).map((date) => ({
    date,
    records: model.records(venue, market, date),
    spans: model.spans(venue, market, date),
    switches: model.switches(venue, market, date),
    counts: model.counts(venue, market, date),
    trades: model.trades(venue, market, null, { date }),
    changes: books.map((book) => model.bookChanges(venue, market, book, { date })),
  }))
}

describe.each(seeds(1, 12, 200))('scene %d', (seed) => {
  const scene = layeredScene(seed)
  const { venue, market, books } = scene
  const model = loadScene(scene, scene.orders[0]!)

  test('is the same in any order of loading and deleting', () => {
    const expected = everything(model, scene)
    for (const order of scene.orders.slice(1)) expect(everything(loadScene(scene, order), scene)).toEqual(expected)
  })

  test('shows every own record as it is without archives, and forgets an archive that is deleted', () => {
    const alone = loadScene(
      scene,
      onlyOf(scene, (source) => source === null),
    )
    const changed = loadScene(scene, scene.orders[0]!)
    for (const source of ['alpha', 'beta']) {
      for (const date of alone.dates(venue, market)) {
        const own = changed.records(venue, market, date).filter((record) => record.source === undefined)
        expect(own).toEqual(alone.records(venue, market, date))
      }
      changed.delete(source)
    }
    expect(everything(changed, scene)).toEqual(everything(alone, scene))
  })

  test('answers without archives as a store without layers', () => {
    const steps = onlyOf(scene, (source) => source === null)
    const alone = loadScene(scene, steps)
    const store = new ModelStore()
    for (const step of steps) if (step.do === 'load') store.load(readCapture('own', step.capture.text), NOW)
    const partitions = store.partitions(venue, market)
    const random = new Random(seed, 'own')
    for (const book of books) {
      const inferredGaps = (date: string) => store.quality(venue, market, date, book).inferredGaps
      for (const { date, records } of partitions) {
        expect(alone.bookChanges(venue, market, book, { date })).toEqual(
          bookChanges(partitions, book, { date, record: 0, limit: records.length, inferredGaps }),
        )
        expect(alone.trades(venue, market, book, { date })).toEqual(tradesIn(partitions, book, { date }))
        const from = Date.parse(date)
        const range = { startTimestamp: from, endTimestamp: from + random.between(1, 2 * DAY_MS) }
        for (const bounds of [{ date }, range]) {
          const request = { ...bounds, resolution: 600, fill: random.pick(['observed', 'range'] as const), nowMs: NOW }
          expect(alone.summary(venue, market, book, request)).toEqual(
            store.summary({ venue, market, assetId: book, ...request }),
          )
        }
        const instants = Array.from({ length: 8 }, () => ({ ms: from + random.below(DAY_MS) }))
        for (const until of [...instants, { date, place: random.below(records.length) }]) {
          const answer = bookAt(partitions, book, { until, inferredGaps })
          expect(alone.bookAt(venue, market, book, { until })).toEqual(answer)
        }
      }
    }
  })

  test('has the book of the layer shown, and changes that lead to it', () => {
    const random = new Random(seed, 'instants')
    for (const book of books) {
      const rows = model.dates(venue, market).flatMap((date) => model.bookChanges(venue, market, book, { date }))
      for (const date of model.dates(venue, market)) {
        const spans = model.spans(venue, market, date)
        const edges = spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs - 1])
        const instants = [...edges, ...Array.from({ length: 10 }, () => Date.parse(date) + random.below(DAY_MS))]
        for (const ms of instants) {
          const answer = model.bookAt(venue, market, book, { until: { ms } })
          const sides = { bid: new Map<number, number>(), ask: new Map<number, number>() }
          for (const { timestamp, side, price, after } of rows) {
            if (timestamp <= ms && side !== null) sides[side].set(price!, after!)
          }
          const levelsOf = (side: Map<number, number>) => [...side].filter(([, size]) => size > 0)
          /** Leaves out a stated best price without an observed size: it is in no row of changes. */
          const hasSize = ([, size]: [number, number]) => size > 0
          expect(answer.bids.filter(hasSize)).toEqual(levelsOf(sides.bid).sort(([a], [b]) => b - a))
          expect(answer.asks.filter(hasSize)).toEqual(levelsOf(sides.ask).sort(([a], [b]) => a - b))

          const store = model.layer(sourceAt(spans, ms))!
          const quality = (of: string, name: string) => store.quality(venue, market, of, name)
          const layer = { source: null, partitions: store.partitions(venue, market), quality }
          const found = booksAt(layer, date, ms + 1).get(book)
          // Before the first snapshot of a date, the book shown last stays.
          if (found === undefined) continue
          expect(answer.bids).toEqual(printLevels(shownBids(found.book)))
          expect(answer.asks).toEqual(printLevels(shownAsks(found.book)))
        }
      }
    }
  })

  test('has the state at the end of each bucket', () => {
    for (const book of books) {
      for (const date of model.dates(venue, market)) {
        const request = { date, resolution: 1_800, fill: 'observed' as const, nowMs: NOW }
        for (const { timestamp, best_bid, best_ask } of model.summary(venue, market, book, request)) {
          const { bids, asks } = model.bookAt(venue, market, book, { until: { ms: timestamp + 1_800_000 - 1 } })
          expect({ timestamp, best_bid, best_ask }).toEqual({
            timestamp,
            best_bid: bids[0]?.[0] ?? null,
            best_ask: asks[0]?.[0] ?? null,
          })
        }
      }
    }
  })

  test('lists the trades of the spans, and borrowed ones only in own spans', () => {
    for (const date of model.dates(venue, market)) {
      const records = model.records(venue, market, date)
      const spans = model.spans(venue, market, date)
      const hasOwn = records.some(({ type, source }) => type === 'trade' && source === undefined)
      const trades = model.trades(venue, market, null, { date })
      for (const { timestamp, record } of trades) {
        if (record === null)
          expect({ hasOwn, source: sourceAt(spans, timestamp) }).toEqual({ hasOwn: false, source: null })
        else expect(records[record]!.source ?? null).toBe(sourceAt(spans, timestamp))
      }
      const placed = records.filter(
        ({ type, source, timestamp }) => type === 'trade' && (source ?? null) === sourceAt(spans, timestamp),
      )
      expect(trades.filter(({ record }) => record !== null)).toHaveLength(placed.length)
    }
  })
})

test('scenes have all cases that the tests need', () => {
  const scenes = seeds(1, 12, 200).map(layeredScene)
  const seen = { venues: new Set<string>(), sources: new Set<string | null>(), passedOver: 0, switches: 0, borrowed: 0 }
  for (const scene of scenes) {
    const { venue, market } = scene
    const model = loadScene(scene, scene.orders[0]!)
    seen.venues.add(venue)
    for (const date of model.dates(venue, market)) {
      for (const { source } of model.spans(venue, market, date)) seen.sources.add(source)
      seen.switches += model.switches(venue, market, date).length
      seen.passedOver += model.shown(venue, market, date).filter(({ isPassedOver }) => isPassedOver).length
      seen.borrowed += model.trades(venue, market, null, { date }).filter(({ record }) => record === null).length
    }
  }
  expect([...seen.venues].sort()).toEqual(['kalshi', 'polymarket'])
  expect([...seen.sources].sort()).toEqual(['alpha', 'beta', null])
  expect(Math.min(seen.passedOver, seen.switches, seen.borrowed)).toBeGreaterThan(10)
  const steps = scenes.flatMap(({ orders }) => orders.flat())
  expect(new Set(steps.map((step) => step.do))).toEqual(new Set(['load', 'delete']))
})

// A scenario of several sources in a store, compared with the model of layers.

import { expect } from 'bun:test'
import type { Catalogue } from '../../../storage/catalogue.ts'
import { totalsOf } from '../../../storage/finding/day-totals.ts'
import { utcDate } from '../../../storage/units.ts'
import { hasOrder, orderSources } from '../../../workers/dates/order-sources.ts'
import { storeOfSource } from '../../../workers/layers/source-view.ts'
import { answerPage } from '../../../workers/read/answer-page.ts'
import { deleteSource } from '../../../workers/remove/delete-source.ts'
import { Random } from '../../../workers/synthetic/random.ts'
import { readCapture } from '../../model/capture.ts'
import type { Answer, Ask, Query } from '../../model/questions/model-ask.ts'
import { LayeredModel } from '../../model/sources/layered-model.ts'
import type { LayeredScene, SceneStep } from '../../model/sources/scene.ts'
import { expectSameValue, questionText } from '../../support/compare/comparison.ts'
import { storeAsk } from '../../support/compare/store-ask.ts'
import { type ReplayedBook, replayedBooks } from '../../support/replay/replayed-books.ts'
import { type AnyStore, withStoreOf } from '../../support/store.ts'
import { readStream, type Sent, WHOLE } from '../../support/stream/read-stream.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

/** Time of the queries, Unix ms: long after all scenes. */
export const NOW_MS = Date.parse('2026-10-01')

export function modelOf({ captures, sources }: LayeredScene): LayeredModel {
  const model = new LayeredModel({ sources })
  for (const { source, name, text } of captures) model.load(source, readCapture(name, text, false), NOW_MS)
  return model
}

/** Takes the steps, and sets the order of the sources before step `orderedAt`, or at the end. */
export async function takeSteps(
  store: AnyStore,
  { venue, market, sources = [] }: LayeredScene,
  steps: SceneStep[],
  orderedAt = 0,
): Promise<void> {
  const order = async () => {
    store.store.refresh()
    await orderSources(store.store, sources)
    expect(await hasOrder(store.store, sources)).toBe(true)
  }
  for (const [i, step] of steps.entries()) {
    if (i === orderedAt) await order()
    if (step.do === 'delete') {
      store.store.refresh()
      await deleteSource(store.store, { venue, market }, step.source)
      continue
    }
    const { source, name, text } = step.capture
    await store.loadLines(`${i}-${name}`, text.split('\n'), source ?? undefined)
  }
  if (orderedAt >= steps.length) await order()
}

/** Compares the shown dates, and the answers to some random questions, with the model. */
export async function expectAsModel(store: AnyStore, scene: LayeredScene, seed: number): Promise<void> {
  const { venue, market, books } = scene
  const model = modelOf(scene)
  const random = new Random(seed, 'questions')
  const heads = await store.store.catalogue.heads(venue, market)
  const dates = model.dates(venue, market)
  expectSameValue(
    'stored',
    'dates',
    heads.map(({ date }) => date),
    dates,
  )
  for (const { date, head } of heads) {
    const shown = head.spans ?? [[head.source ?? null, Date.parse(date)]]
    const expected = model.spans(venue, market, date).map(({ source, fromMs }) => [source, fromMs])
    expectSameValue(date, 'spans', shown, expected)
    const trades = model.trades(venue, market, null, { date })
    const { trades: count, volume } = totalsOf(head)
    const sizes = trades.reduce((sum, { size }) => sum + BigInt(Math.round(size * 1e6)), 0n)
    expectSameValue(date, 'trades and volume', `${count} ${volume}`, `${trades.length} ${sizes}`)
    expectSameValue(date, 'records', await store.records(venue, market, date), model.records(venue, market, date))
  }
  const ask = storeAsk(store, NOW_MS)
  const ids = venue === 'kalshi' ? { ticker: market } : { condition_id: market }
  const path = (question: string) => `/${venue}/market/${question}`
  const instants = dates.flatMap((date) => [
    ...model.shown(venue, market, date).map(({ record }) => record.timestamp),
    ...model.switches(venue, market, date).map(({ atMs }) => atMs),
  ])
  await expectStreamAsModel(store, scene, model, random)
  const someMs = () => random.pick(instants) + random.pick([-1, 0, 0, 1, 1_000])
  for (const atMs of [...dates.map((date) => Date.parse(date)), someMs(), someMs()])
    await expectReplayAsModel(store, scene, model, atMs)
  for (const book of books) {
    const of = venue === 'kalshi' ? ids : { ...ids, asset_id: book }
    const isStored = heads.some(({ head }) => head.books.some(({ id }) => id === book))
    if (!isStored) continue
    for (let i = 0; i < 6; i++) {
      const [from, to] = [someMs(), someMs()].sort((a, b) => a - b) as [number, number]
      const range = random.chance(0.4)
        ? { date: random.pick(dates) }
        : { start_timestamp: `${from}`, end_timestamp: `${to}` }
      const asRange = 'date' in range ? range : { startTimestamp: from, endTimestamp: to }
      const [resolution, fill] = [random.pick([1, 60, 600, 3_600]), random.pick(['observed', 'none', 'range'] as const)]
      const summary = { ...of, ...range, resolution: `${resolution}`, fill }
      const rows = (answer: Record<string, unknown>) => answer['data']
      expectSameValue(
        questionText(path('orderbook-summary'), summary),
        'data',
        rows(await ask(path('orderbook-summary'), summary)),
        model.summary(venue, market, book, { ...asRange, resolution, fill, nowMs: NOW_MS }).filter(isKnown),
      )
      const changes = random.chance(0.5)
        ? { ...of, ...range }
        : { ...of, date: random.pick(dates), record: `${random.below(30)}`, limit: `${random.between(1, 30)}` }
      const asked =
        'record' in changes
          ? { date: changes.date!, record: Number(changes.record), limit: Number(changes.limit) }
          : asRange
      if (!('date' in asked) || 'record' in asked) {
        expectSameValue(
          questionText(path('book/changes'), changes as never),
          'data',
          rows(await ask(path('book/changes'), changes as never)),
          model.bookChanges(venue, market, book, asked),
        )
      }
      const at = someMs()
      const { timestamp: _, ...stored } = await ask(path('book'), { ...of, timestamp: `${at}` })
      const { timestamp: __, ...expected } = model.bookAt(venue, market, book, { until: { ms: at } })
      for (const key of ['as_of', 'date', 'record', 'trust', 'bids', 'asks', 'last_trade'] as const) {
        expectSameValue(questionText(path('book'), { ...of, timestamp: `${at}` }), key, stored[key], expected[key])
      }
      expectSameValue(
        questionText(path('trades'), { ...of, ...range }),
        'data',
        await tradesOf(ask, path('trades'), { ...of, ...range, limit: `${random.pick([3, 10, 1_000])}` }),
        model.trades(venue, market, book, asRange),
      )
      const candles = { ...of, ...range, resolution: `${resolution}` }
      expectSameValue(
        questionText(path('trade-summary'), candles),
        'data',
        rows(await ask(path('trade-summary'), candles)),
        model.tradeSummary(venue, market, book, { ...asRange, resolution, fill: 'none', nowMs: NOW_MS } as never),
      )
    }
  }
}

/** Returns the trades of all pages. */
async function tradesOf(ask: Ask, path: string, query: Query): Promise<unknown[]> {
  const trades: unknown[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Answer = await ask(path, { ...query, ...(cursor !== null && { cursor }) })
    trades.push(...(page['data'] as unknown[]))
    cursor = page['next_cursor'] as string | null
    if (cursor === null) return trades
  }
}

/** Expects that a client that reads the whole stream has the model's books after each quote and at the end. */
async function expectStreamAsModel(store: AnyStore, scene: LayeredScene, model: LayeredModel, random: Random) {
  const { venue, market, books } = scene
  const limits = random.pick([WHOLE, { bytes: 1, records: 100, step: 1 }, { bytes: 900, records: 3, step: 2 }])
  const of = { venue, market, channels: ['quotes', 'book'] as const }
  const { sent } = await readStream(store, of, 'nothing', limits)
  const client = new StreamClient()
  for (const { message } of sent) client.apply(message)
  const places = [-1, ...sent.flatMap(({ position }, i) => (position === null ? [] : [i]))]
  const left = random.pick(places)
  const resumed = await readStream(store, of, sent[left]?.position ?? 'nothing', WHOLE)
  const changesIn = (all: Sent[]) => all.flatMap(({ message }) => (message.channel === 'book' ? [message] : []))
  expectSameValue(`stream from message ${left}`, 'changes', changesIn(resumed.sent), changesIn(sent.slice(left + 1)))
  for (const quote of client.quotes) {
    const until = { date: utcDate(Number(quote['timestamp'])), place: Number(quote['record']) }
    const { trust, bids, asks } = model.bookAt(venue, market, String(quote['asset_id'] ?? quote['ticker']), { until })
    const top = { trust, bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null }
    expectSameValue(
      JSON.stringify(quote),
      'top',
      { trust: quote['trust'], bid: quote['best_bid'], ask: quote['best_ask'] },
      top,
    )
  }
  for (const book of books) {
    const known = client.books.get(book)
    const { bids, asks } = model.bookAt(venue, market, book, { until: { ms: NOW_MS } })
    const sides = (side: 'bid' | 'ask', sign: number) => [...(known?.[side] ?? [])].sort(([a], [b]) => sign * (a - b))
    const isSized = ([, size]: readonly number[]) => size! > 0
    expectSameValue(`stream of ${book}`, 'bids', sides('bid', -1), bids.filter(isSized))
    expectSameValue(`stream of ${book}`, 'asks', sides('ask', 1), asks.filter(isSized))
  }
}

/** Expects that a client of a replay has the model's books at an instant. Skips books that the replay did not send
 *  whole. */
async function expectReplayAsModel(store: AnyStore, scene: LayeredScene, model: LayeredModel, atMs: number) {
  const { venue, market, books } = scene
  const replayed = await replayedBooks(store, { venue, market, toMs: atMs, limit: 50 })
  for (const book of books) {
    const { trust, bids, asks } = model.bookAt(venue, market, book, { until: { ms: atMs } })
    const known = replayed.get(book)
    if (known === null || (trust !== 'unknown' && trust !== 'established')) continue
    const levels = [...bids.toReversed(), ...asks]
    const expected = levels.map((level) => level.map((value) => Math.round(value * 1e6)))
    expectSameValue(`replay of ${book} until ${atMs}`, 'levels', levelsOf(known), expected)
  }
}

const levelsOf = (book: ReplayedBook | undefined) =>
  [book?.bid, book?.ask].flatMap((side) => [...(side ?? [])].sort(([one], [other]) => one - other))

/** Expects each layer to equal a store into which only that source was loaded. */
export async function expectSourcesAlone(store: AnyStore, scene: LayeredScene): Promise<void> {
  const { venue, market, captures } = scene
  for (const [source, loads] of Map.groupBy(captures, (capture) => capture.source)) {
    await withStoreOf('memory', async (alone) => {
      await takeSteps(
        alone,
        scene,
        loads.map((capture) => ({ do: 'load', capture })),
      )
      const layers = storeOfSource(store.store, source)
      expectSameValue(
        `${source}`,
        'days',
        await daysOf(layers.catalogue, scene),
        await daysOf(alone.store.catalogue, scene),
      )
      for (const date of await alone.dates(venue, market)) {
        const request = { venue, market, book: null, limit: 10_000, scope: { date, offset: 0 } }
        const [layer, own] = await Promise.all([layers, alone.store].map((each) => answerPage(each, request)))
        expectSameValue(`${source} ${date}`, 'records', bytesOf(layer!.chunks), bytesOf(own!.chunks))
      }
    })
  }
}

/** Returns the days without the values that depend on the order of loading. */
async function daysOf(catalogue: Pick<Catalogue, 'heads'>, { venue, market }: LayeredScene) {
  const days = await catalogue.heads(venue, market)
  return days.map(({ date, head: { nextId: _, revision: __, edits: ___, blocks, rollups: ____, ...head } }) => {
    return { date, head, records: blocks.map(({ recordCount }) => recordCount).reduce((sum, count) => sum + count, 0) }
  })
}

/** Returns whether the source that the bucket shows knows the book. */
const isKnown = ({ trust }: { trust: string }): boolean => trust !== 'unknown'

function bytesOf(chunks: Iterator<Uint8Array>): string {
  let text = ''
  for (let next = chunks.next(); !next.done; next = chunks.next()) text += Buffer.from(next.value).toString()
  return text
}

// Two stores, and copies from one to the other.

import { expect } from 'bun:test'
import type { PartRef } from '../../../storage/block-store.ts'
import type { PartitionHead } from '../../../storage/format/partition-head.ts'
import { decodeHead } from '../../../storage/format/partition-head-codec.ts'
import { VENUES } from '../../../storage/venue.ts'
import { ALL_DATES, type CopyChoice, copyStore } from '../../../workers/copy/copy-store.ts'
import { partsOfPartition } from '../../../workers/partition/needed-parts.ts'
import { verifyStore } from '../../../workers/verify/verify-store.ts'
import { kalshiDelta, kalshiSnapshot, kalshiTrade, priceChange, TICKER } from '../../model/lines.ts'
import { type AnyStore, type StoreKind, withStoreOf } from '../store.ts'

const DAY_MS = 86_400_000
export const DATES = ['2026-08-10', '2026-08-11', '2026-08-12', '2026-08-13']
export const ALL: CopyChoice = { venues: VENUES, markets: null, dates: ALL_DATES }
export const OTHER = 'KXTEST-2'
export const on = (from: string, to = from): CopyChoice => ({ ...ALL, dates: { from, to } })

/** Returns lines of a day. Only the first day has a snapshot, so each later day carries the book of the day before. */
export function lines(day: number, market = TICKER, added = 0): string[] {
  const deltas = [0, 1, 2].map((i) => kalshiDelta(day * DAY_MS + i * 1_000 + added, `0.${4 + day}${i}00`, '2.00'))
  const snapshot = kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])
  const all = [
    ...(day === 0 && added === 0 ? [snapshot] : []),
    ...deltas,
    kalshiTrade(day * DAY_MS + added, `${added}`),
  ]
  return all.map((each) => JSON.stringify(each).replaceAll(TICKER, market))
}

let files = 0
export const load = (store: AnyStore, ...given: string[][]) => store.loadLines(`${files++}.ndjson`, given.flat())

export async function fourDays(store: AnyStore): Promise<void> {
  await load(store, lines(0), lines(1), lines(2), lines(3))
  await load(store, lines(0, OTHER), lines(2, OTHER), [JSON.stringify(priceChange(0, { price: '0.5', size: '1' }))])
}

export async function expectSound({ store }: AnyStore): Promise<void> {
  store.refresh()
  const maintenance = { indexDamage: () => [], valueDamage: () => [] }
  const report = await verifyStore({ ...store, maintenance } as unknown as Parameters<typeof verifyStore>[0])
  expect(report.damage).toEqual([])
}

/** Returns every day with all of its bytes, except ids, revisions, and the carried book. */
export async function contents({ store }: AnyStore, dates = DATES): Promise<Record<string, string[]>> {
  store.refresh()
  const found: Record<string, string[]> = {}
  for (const venue of VENUES) {
    for await (const key of store.catalogue.partitions(venue)) {
      if (!dates.includes(key.date)) continue
      const head = (await store.catalogue.head(key))!
      const refs = partsOfPartition(key, head)
      const parts = await store.blocks.fetch(refs)
      const books = parts.books(key)
      const ofBooks = [books, ...(books.layers ?? [])].flatMap(({ opening, closing }) => [opening ?? '', closing ?? ''])
      const bytesOf = (ref: PartRef) =>
        ref.kind === 'books' ? ofBooks : [parts.bytes(ref.key, { ...ref, kind: ref.kind })]
      const heads = [head, ...(head.layers ?? []).map((layer) => decodeHead(layer.head))]
      const all = [...heads.map(withoutIds), ...refs.flatMap(bytesOf)]
      found[`${venue} ${key.market} ${key.date}`] = all.map((bytes) => Bun.hash(bytes).toString(36))
    }
  }
  return found
}

function withoutIds(head: PartitionHead): string {
  const [blocks, rollups] = [head.blocks, head.rollups].map((all) =>
    all.map((each) => ({ ...each, id: 0, stateId: 0 })),
  )
  const layers = head.layers?.map(({ source, recordCount }) => [source, recordCount])
  return JSON.stringify({ ...head, revision: 0, nextId: 0, edits: [], blocks, rollups, layers })
}

export type Two = {
  from: AnyStore
  to: AnyStore
  copy: (choice?: CopyChoice) => ReturnType<typeof copyStore>
}

export async function withTwo(kinds: readonly [StoreKind, StoreKind], run: (two: Two) => Promise<void>): Promise<void> {
  await withStoreOf(kinds[0], (from) =>
    withStoreOf(kinds[1], (to) => {
      const copy = (choice = ALL) => copyStore({ source: from.store, target: to.store }, choice)
      return run({ from, to, copy })
    }),
  )
}

// The check of a date with several sources compares its parts, its books and its head with its layers.

import { expect, test } from 'bun:test'
import { type BlockStore, nameOfPart, type PartId } from '../../storage/block-store.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import { kalshiDelta, kalshiGap, kalshiSnapshot, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { allParts } from '../partition/needed-parts.ts'
import { ROLLUP_RECORDS_MIN } from '../partition/partition-writer.ts'
import { Random } from '../synthetic/random.ts'
import { shownDamage } from './check-shown.ts'

type Changed = { part?: PartId; books?: 'opening' | 'closing' }

/** Returns the store with one more byte at the end of a part, or of the books of a date. */
function changedStore(store: Store, { part, books }: Changed): Store {
  const longer = (bytes: Uint8Array | null) => new Uint8Array([...(bytes ?? []), 1])
  const fetch: BlockStore['fetch'] = async (parts) => {
    const fetched = await store.blocks.fetch(parts)
    return {
      books: (key) => {
        const stored = fetched.books(key)
        return books === undefined ? stored : { ...stored, [books]: longer(stored[books]) }
      },
      bytes: (key, asked) => {
        const bytes = fetched.bytes(key, asked)
        return Bun.deepEquals(asked, part) ? longer(bytes) : bytes
      },
    }
  }
  return { catalogue: store.catalogue, blocks: { fetch } } as Store
}

/** A block with this many different records has rollups. */
const RECORDS = ROLLUP_RECORDS_MIN + 100
const jsonLine = (line: object) => JSON.stringify(line)

test('names whatever does not follow from the layers', () =>
  withStore(async (store) => {
    const random = new Random(1, 'changes')
    const changes = (fromMs: number) =>
      Array.from({ length: RECORDS }, (_, i) =>
        kalshiDelta(fromMs + i, `0.${random.between(10, 60)}00`, `${random.between(1, 9_999)}.00`),
      )
    const before = [kalshiSnapshot([['0.4800', '5.00']]), ...changes(1)]
    await store.loadLines('own', [...before, kalshiGap(20_000)].map(jsonLine))
    await store.loadLines('archive', [...before, ...changes(30_000)].map(jsonLine), 'archive')
    const [venue, market] = ['kalshi', TICKER] as const
    const [day] = await store.store.catalogue.heads(venue, market)
    const { date, head } = day!
    const key = { venue, market, date }
    expect(head.spans?.map(([source]) => source)).toEqual([null, 'archive'])
    const damageOf = (changed: Changed, storedHead: PartitionHead = head) =>
      shownDamage(changedStore(store.store, changed), key, storedHead)
    expect(await damageOf({})).toEqual([])
    const { layers: _, ...shown } = head
    const parts = allParts(shown)
    expect([...new Set(parts.map(({ kind }) => kind))].sort()).toEqual(['block', 'minutes', 'seconds', 'state'])
    for (const part of parts) {
      expect(await damageOf({ part })).toEqual([`${nameOfPart(part)}: does not follow from its layers`])
    }
    for (const books of ['opening', 'closing'] as const) {
      expect(await damageOf({ books })).toEqual([`books: the ${books} books do not follow from its layers`])
    }
    expect(await damageOf({}, { ...head, tradeCount: head.tradeCount + 1 })).toEqual([
      'head: what it shows does not follow from its layers',
    ])
    expect(await damageOf({}, { ...head, spans: head.spans!.slice(1) })).toEqual([
      'head: its spans do not follow from its layers',
    ])
  }))

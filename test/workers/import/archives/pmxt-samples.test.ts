// Real excerpts of pmxt v2 load to the records that a plain reading of their rows gives, and their best prices agree.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { pmxtV2 } from '../../../../workers/import/formats/pmxt-v2.ts'
import { loadArchive } from '../../../model/model.ts'
import { imported, LOADED_AT } from '../../../support/archives/imported.ts'
import { MemoryFile } from '../../../support/archives/parquet-bytes.ts'
import { type PmxtRow, pmxtLine } from '../../../support/archives/pmxt-rows.ts'
import { capture, hasCaptures } from '../../../support/captures.ts'
import { withStore } from '../../../support/store.ts'
import { expectSameRecords } from '../../load/model-comparison.ts'

type Read = Record<string, string | number | Date | Uint8Array | null>

/** Reads with the library's own conversions. They return decimals as doubles, so this rounds them. */
async function rowsOf(bytes: Uint8Array): Promise<PmxtRow[]> {
  const file = bytes.slice().buffer as ArrayBuffer
  const rows = (await parquetReadObjects({ file, compressors })) as Read[]
  const rounded = (value: Read[string], places: number) =>
    typeof value === 'number' ? String(Math.round(value * 10 ** places) / 10 ** places) : null
  const text = (value: Read[string]) =>
    (value instanceof Uint8Array ? new TextDecoder().decode(value) : value) as string
  return rows.map((row) => ({
    received: (row.timestamp_received as Date).getTime(),
    venue: (row.timestamp as Date).getTime(),
    market: text(row.market!),
    type: text(row.event_type!),
    token: text(row.asset_id!),
    bids: text(row.bids ?? null),
    asks: text(row.asks ?? null),
    price: rounded(row.price!, 4),
    size: rounded(row.size!, 6),
    side: text(row.side ?? null),
    bestBid: rounded(row.best_bid!, 4),
    bestAsk: rounded(row.best_ask!, 4),
    fee: row.fee_rate_bps as number | null,
    transaction: text(row.transaction_hash ?? null),
    oldTick: rounded(row.old_tick_size!, 4),
    newTick: rounded(row.new_tick_size!, 4),
  }))
}

test.skipIf(!hasCaptures).each([
  ['slice-2026-05-22.parquet', 69],
  ['five-rows-exact-schema.parquet', 5],
])('%s', (name, count) =>
  withStore(async (store) => {
    const bytes = new Uint8Array(readFileSync(capture(`archives/pmxt/${name}`)))
    const rows = await rowsOf(bytes)
    const { report } = await imported(store, pmxtV2, new MemoryFile(bytes))
    expect(report).toMatchObject({ rows: count, messages: count, recordsAdded: count, rejected: 0 })
    const ordered = [...rows].sort((one, other) => one.received - other.received)
    await expectSameRecords(
      store,
      loadArchive(
        pmxtV2.source,
        ordered.map((row) => pmxtLine(row)),
        LOADED_AT,
      ),
    )
  }),
)

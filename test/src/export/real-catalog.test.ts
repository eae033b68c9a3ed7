// Goal: the export writes the same as nautilus_trader for the same records. The test takes a catalog of version 0.61,
// converts its rows to messages of the venue, and loads and exports them.

import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { capture, hasCaptures } from '../../support/captures.ts'
import { exportMarket } from '../../support/export/export-days.ts'
import {
  arrowFields,
  type CatalogRow,
  type CatalogType,
  metadataOf,
  readCatalog,
  readCatalogFile,
  readInstrument,
} from '../../support/export/nautilus-reader.ts'
import { temporaryFolder } from '../../support/server.ts'
import { withStore } from '../../support/store.ts'

const NAUTILUS = 'archives/nautilus'
const MARKET = '0x92889d49761307073d461289d01208c3b19292d17da937c0f57501c7b7efa50d'
const ASSET = '73895424095742155573626958367283533358717984717096075221396743226794070701077'
const INSTRUMENT = `${MARKET}-${ASSET}.POLYMARKET`

async function realFile(type: CatalogType) {
  const folder = capture(`${NAUTILUS}/${type}/${INSTRUMENT}`)
  return readCatalogFile(`${folder}/${readdirSync(folder)[0]!}`)
}

/** Returns a decimal as the venue prints it, without trailing zeros. */
const printed = (units: unknown) => String(Number(units as bigint) / 1e16)
const ms = (ns: unknown) => Number((ns as bigint) / 1_000_000n)

const SIDES = ['', 'BUY', 'SELL']

/** Returns the venue's messages that the rows were made from, as a recorder stores them. */
function messagesOf(deltas: readonly CatalogRow[], trades: readonly CatalogRow[]): string[] {
  const levels = deltas.filter(({ action }) => action === 1)
  const pairs = (side: number) =>
    levels
      .filter((row) => row['side'] === side)
      .map(({ price, size }) => ({ price: printed(price), size: printed(size) }))
  const shared = ({ ts_event }: CatalogRow) => ({ market: MARKET, timestamp: String(ms(ts_event)) })
  const [clear] = deltas
  const book = { event_type: 'book', asset_id: ASSET, ...shared(clear!), bids: pairs(1), asks: pairs(2) }
  const received = [
    { row: clear!, event: book as object },
    ...deltas
      .filter(({ action }) => action === 2)
      .map((row) => {
        const { price, size, side } = row
        const entry = { asset_id: ASSET, price: printed(price), size: printed(size), side: SIDES[side as number] }
        return { row, event: { event_type: 'price_change', ...shared(row), price_changes: [entry] } }
      }),
    ...trades.map((row) => {
      const { price, size, aggressor_side } = row
      const side = SIDES[aggressor_side as number]
      const trade = { event_type: 'last_trade_price', asset_id: ASSET, ...shared(row) }
      return { row, event: { ...trade, price: printed(price), size: printed(size), side } }
    }),
  ]
  received.sort((a, b) => Number((a.row['ts_event'] as bigint) - (b.row['ts_event'] as bigint)))
  return received.map(({ row, event }) => JSON.stringify({ recv_ms: ms(row['ts_init']), event }))
}

/** The venue's description of the market, as far as the real instrument contains it. */
const gamma = {
  id: '2293610',
  question: 'ITF Changwon: Dayeon Back vs Su Jeong Jang',
  conditionId: MARKET,
  questionID: '0xb1f929af50c94d364b56eca231b0fd387e50069cd3c64f22258a15517afec351',
  slug: 'itf-back-jan-2026-05-20',
  startDate: '2026-05-18T16:03:25.824502Z',
  endDate: '2026-05-27T02:00:00Z',
  outcomes: '["Dayeon Back", "Su Jeong Jang"]',
  clobTokenIds: JSON.stringify(['1', ASSET]),
  negRisk: false,
  orderPriceMinTickSize: 0.01,
  feeSchedule: { exponent: 1, rate: 0.03, rebateRate: 0.25, takerOnly: true },
}

test.if(hasCaptures)('the export writes the same instrument as a real catalog', async () => {
  const real = await instrumentFileIn(capture(NAUTILUS))
  await withStore(async (tested) => {
    const deltas = await realFile('order_book_deltas')
    await tested.loadLines('all.ndjson', [JSON.stringify(gamma), ...messagesOf(deltas.rows, [])])
    using folder = temporaryFolder()
    await exportMarket(tested, { target: 'nautilus', venue: 'polymarket', market: MARKET, folder: folder.path })
    const ours = await instrumentFileIn(`${folder.path}/data`)
    expect(ours.columns).toEqual(real.columns)
    expect(ours.arrowFields).toEqual(real.arrowFields)
    expect(ours.metadata).toEqual(real.metadata)
    // The program stores nothing about a game.
    const { game_id: _, ...info } = JSON.parse(String(real.row['info']))
    expect({ ...ours.row, info: JSON.parse(String(ours.row['info'])) }).toEqual({ ...real.row, info })
  })
})

async function instrumentFileIn(folder: string) {
  const path = `${folder}/instruments/${INSTRUMENT}`
  const [name, ...others] = readdirSync(path)
  expect([name, ...others]).toEqual(['1970-01-01T00-00-00-000000000Z_1970-01-01T00-00-00-000000000Z.parquet'])
  return readInstrument(`${path}/${name}`)
}

test.if(hasCaptures)('the export writes the same rows as a real catalog', async () => {
  const real = { order_book_deltas: await realFile('order_book_deltas'), trades: await realFile('trades') }
  expect(real.order_book_deltas.rows).toHaveLength(103)
  await withStore(async (tested) => {
    await tested.loadLines('all.ndjson', messagesOf(real.order_book_deltas.rows, real.trades.rows))
    using folder = temporaryFolder()
    await exportMarket(tested, { target: 'nautilus', venue: 'polymarket', market: MARKET, folder: folder.path })
    for (const type of ['order_book_deltas', 'trades'] as const) {
      const [ours, ...others] = await readCatalog(folder.path, type, INSTRUMENT)
      expect(others).toEqual([])
      // Nautilus makes a trade's id from the fill. We make it from the place of the record.
      const withoutIds = (rows: CatalogRow[]) => rows.map(({ trade_id: _, ...row }) => row)
      expect(withoutIds(ours!.rows)).toEqual(withoutIds(real[type].rows))
      expect(ours!.columns).toEqual(real[type].columns)
      expect(arrowFields(ours!)).toEqual(arrowFields(real[type]))
      expect(metadataOf(ours!)).toEqual(metadataOf(real[type]))
      expect(readdirSync(`${folder.path}/data/${type}/${INSTRUMENT}`)).toEqual(
        readdirSync(capture(`${NAUTILUS}/${type}/${INSTRUMENT}`)),
      )
    }
  })
})

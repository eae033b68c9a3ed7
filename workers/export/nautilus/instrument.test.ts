// A market becomes a Nautilus instrument with the values of its metadata, and no invented ones.

import { expect, test } from 'bun:test'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { type InstrumentSource, instrumentFile, instrumentOf, tickPrecision } from './instrument.ts'

const known = {
  card: { title: 'Will it rain?', outcomes: [{ asset_id: '17', outcome: 'Yes' }] },
  said: {
    ...{ startDate: '2026-08-01T00:00:00.5Z', endDate: '2026-09-01T00:00:00Z', slug: 'rain', negRisk: true },
    ...{ feeSchedule: { rate: 0.02 }, orderPriceMinTickSize: 0.001 },
  },
} as never
const polymarket: InstrumentSource = {
  ...{ venue: 'polymarket', market: '0xab', book: '17', known, pricePrecision: 3, lastDate: '2026-08-10' },
}
const infoOf = (source: InstrumentSource) => JSON.parse(Buffer.from(instrumentOf(source).info!).toString())

test('a token of Polymarket', () => {
  expect(instrumentOf(polymarket)).toMatchObject({
    ...{ id: '0xab-17.POLYMARKET', raw_symbol: '17', currency: 'pUSD', price_precision: 3, price_increment: '0.001' },
    ...{ size_increment: '0.000001', outcome: 'Yes', description: 'Will it rain?', taker_fee: '0.02', maker_fee: '0' },
    activation_ns: BigInt(Date.parse('2026-08-01T00:00:00.5Z')) * 1_000_000n,
    expiration_ns: BigInt(Date.parse('2026-09-01T00:00:00Z')) * 1_000_000n,
  })
  expect(instrumentOf({ ...polymarket, lastDate: '2026-04-27' }).currency).toBe('USDC')
  expect(infoOf(polymarket)).toEqual({
    ...{ condition_id: '0xab', fee_schedule: { rate: 0.02 }, market_slug: 'rain', neg_risk: true, token_id: '17' },
  })
  expect(tickPrecision('polymarket', known)).toBe(3)
})

test('a Kalshi ticker without metadata', () => {
  const kalshi: InstrumentSource = { ...polymarket, venue: 'kalshi', market: 'KX', book: 'KX', known: undefined }
  expect(instrumentOf(kalshi)).toMatchObject({
    ...{ id: 'KX.KALSHI', currency: 'USD', outcome: 'Yes', description: null, activation_ns: 0n, expiration_ns: 0n },
    taker_fee: '0',
  })
  expect(infoOf(kalshi)).toEqual({ ticker: 'KX' })
  expect(tickPrecision('kalshi', undefined)).toBeUndefined()
})

test('its file has one row with all of it', async () => {
  const instrument = instrumentOf(polymarket)
  const bytes = new Uint8Array(instrumentFile(instrument))
  const rows = await parquetReadObjects({ file: bytes.buffer, compressors })
  expect(rows).toHaveLength(1)
  for (const [name, value] of Object.entries(instrument)) {
    if (name !== 'info') expect([name, rows[0]![name]]).toEqual([name, value])
  }
})

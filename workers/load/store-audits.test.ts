// Audits of a segment are stored by market and date; lines that are not audits are skipped.

import { expect, test } from 'bun:test'
import { AUDIT_RESULTS, type MarketAudits } from '../../storage/finding/audits.ts'
import { storeAudits } from './store-audits.ts'

const US = Date.parse('2026-08-10T12:00:00Z') * 1_000
const [result] = AUDIT_RESULTS
const line = (of: object) => ({
  backbook: 'audit',
  at_ns: US * 1_000 + 256,
  venue: 'kalshi',
  market: 'kx-1',
  result,
  ...of,
})

async function stored(...lines: object[]) {
  const puts: MarketAudits[][] = []
  const putAudits = async (audits: MarketAudits[]) => void puts.push(audits)
  const count = await storeAudits({ putAudits } as never, lines as never)
  return { count, puts }
}

test('stores the audits of a market and date together', async () => {
  const { count, puts } = await stored(
    line({}),
    line({ at_ns: (US + 86_400_000_000) * 1_000 }),
    line({ market: 'KX-1' }),
    line({ venue: 'polymarket', market: '0xAB', asset_id: '17' }),
  )
  expect(count).toBe(4)
  const audit = (atUs: number, book: string | null = null) => ({ atUs, book, result: result! })
  expect(puts).toEqual([
    [
      { venue: 'kalshi', market: 'KX-1', date: '2026-08-10', audits: [audit(US), audit(US)] },
      { venue: 'kalshi', market: 'KX-1', date: '2026-08-11', audits: [audit(US + 86_400_000_000)] },
      { venue: 'polymarket', market: '0xab', date: '2026-08-10', audits: [audit(US, '17')] },
    ],
  ])
})

test('stores nothing of lines that are not audits', async () => {
  const wrong = [
    { venue: 'x' },
    { market: '' },
    { market: 'a b' },
    { market: 'x'.repeat(129) },
    { at_ns: '1' },
    { at_ns: 0 },
    { at_ns: 5e18 },
    { result: 'x' },
  ]
  expect(await stored(...wrong.map(line))).toEqual({ count: 0, puts: [] })
})

// Copied and downloaded requests ask for exactly the data shown.

import { describe, expect, test } from 'bun:test'
import { fileName, type Shown, takesOf, wholeDays } from './requests.ts'

const DAY = Date.parse('2026-07-20T00:00:00Z')
const SHOWN: Shown = {
  book: { venue: 'kalshi', market: 'KXA-1', asset: null },
  span: { fromMs: DAY + 61_500, toMs: DAY + 125_250 },
  stretch: { atMs: DAY + 70_123, record: null, aggregate: 'mean', hidesFuture: false },
  detail: { resolutionMs: 250, bucketMs: 1_000, priceStep: 0.001 },
}
const takeOf = (name: string, shown = SHOWN) => takesOf(shown).find((each) => each.name === name)!

describe('the requests for the data shown', () => {
  test('ask for whole buckets and columns', () => {
    expect(takeOf('prices').query).toEqual({
      ...{ ticker: 'KXA-1', start_timestamp: DAY + 61_000, end_timestamp: DAY + 125_999, resolution: 1 },
    })
    expect(takeOf('depth').query).toEqual({
      ...{ ticker: 'KXA-1', start_timestamp: DAY + 61_500, end_timestamp: DAY + 125_249 },
      ...{ resolution_ms: 250, price_step: 0.001, aggregate: 'mean' },
    })
  })

  test('trades, changes and messages are those of exactly the view', () => {
    for (const name of ['trades', 'changes', 'messages']) {
      const { start_timestamp, end_timestamp } = takeOf(name).query
      expect([start_timestamp, end_timestamp]).toEqual([DAY + 61_500, DAY + 125_249])
    }
  })

  test('a depth map has at most as many cells as the API allows', () => {
    const long = { ...SHOWN, span: { fromMs: DAY, toMs: DAY + 86_400_000 } }
    const { start_timestamp, end_timestamp } = takeOf('depth', long).query
    const columns = (Number(end_timestamp) + 1 - Number(start_timestamp)) / 250
    expect(columns * 1_001).toBeLessThanOrEqual(4_000_000)
    expect(columns).toBeGreaterThan(3_900)
  })

  test('a depth map that is cut off says where; a complete one does not', () => {
    const long = { ...SHOWN, span: { fromMs: DAY, toMs: DAY + 86_400_000 } }
    const { query, cutMs } = takeOf('depth', long)
    expect(cutMs).toBe(Number(query['end_timestamp']) + 1)
    expect(takeOf('depth')).not.toHaveProperty('cutMs')
    expect(takeOf('prices', long)).not.toHaveProperty('cutMs')
  })

  test('messages cover the whole market, everything else covers the book', () => {
    const outcome = { ...SHOWN, book: { venue: 'polymarket' as const, market: '0xab', asset: '77' } }
    expect(takeOf('messages', outcome).query).not.toHaveProperty('asset_id')
    expect(takeOf('messages', outcome).query['condition_id']).toBe('0xab')
    for (const { name, query } of takesOf(outcome)) if (name !== 'messages') expect(query['asset_id']).toBe('77')
  })

  test('the book is that of the cursor, after its record if one is chosen', () => {
    expect(takeOf('book').query).toEqual({ ticker: 'KXA-1', timestamp: DAY + 70_123 })
    const at = (record: number | null, atMs: number | null) => ({
      ...SHOWN,
      stretch: { ...SHOWN.stretch, record, atMs },
    })
    expect(takeOf('book', at(7, DAY + 5)).query).toEqual({ ticker: 'KXA-1', date: '2026-07-20', record: 7 })
    expect(takeOf('book', at(null, null))).toBeUndefined()
  })

  test('the file of a book is named after the position of the cursor', () => {
    const nameOf = (record: number | null) => {
      const shown = { ...SHOWN, stretch: { ...SHOWN.stretch, record } }
      return fileName(shown, takeOf('book', shown), 'json')
    }
    expect(nameOf(null)).toBe('backbook_kalshi_KXA-1_2026-07-20T000110.123Z_book.json')
    expect(nameOf(7)).toBe('backbook_kalshi_KXA-1_2026-07-20T000110.123Z_record-7_book.json')
  })

  test('file names say what is in the file, whatever the market is called', () => {
    expect(fileName(SHOWN, takeOf('prices'), 'csv')).toBe('backbook_kalshi_KXA-1_2026-07-20T000101Z_prices-1s.csv')
    const whole = { ...SHOWN, span: wholeDays(SHOWN.span) }
    expect(fileName(whole, takeOf('depth'), 'arrow')).toBe('backbook_kalshi_KXA-1_2026-07-20_depth-250ms.arrow')
    const hostile = { ...SHOWN, book: { ...SHOWN.book, market: '../\'$(x)"\n' } }
    expect(fileName(hostile, takeOf('trades'), 'csv')).toMatch(/^[\w.-]+$/)
    expect(fileName(hostile, takeOf('trades'), 'csv')).not.toContain('/')
  })
})

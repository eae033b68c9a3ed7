// Tests the calendar and the busiest markets on the smallest captures that show each rule.

import { describe, expect, test } from 'bun:test'
import { capture, kalshiDelta, kalshiGap, kalshiSnapshot, NOON, received, TICKER } from '../lines.ts'
import * as made from '../questions/made-lines.ts'

const NOTHING = {
  ...{ records: 0, trades: 0, volume: 0, gaps: 0, gap_ms: 0, inferred_gaps: 0 },
  ...{ snapshots_confirmed: 0, snapshots_contradicted: 0 },
}
const snapshot = (ms: number, yes = '0.4', seq = 7) => ({ ...received(ms, { ...kalshiSnapshot([[yes, '1']]), seq }) })
/** Returns the line for another market. */
function of(ticker: string, line: object): object {
  return JSON.parse(JSON.stringify(line).replaceAll(TICKER, ticker))
}
const ask = (lines: object[], path: string, query: Record<string, string> = {}) =>
  made.asking(capture(...(lines as [])))(`/kalshi/${path}`, query)

describe('the calendar', () => {
  test('has every date from the first to the last, with what is stored of it', async () => {
    const lines = [snapshot(0), kalshiDelta(5, '0.4', '1'), of('KXTEST-2', snapshot(9)), snapshot(2 * made.DAY_MS)]
    const none = { condition: 'missing', markets: 0, ...NOTHING }
    const [first, second, third] = [
      { date: '2026-08-10', condition: 'available', markets: 2, ...NOTHING, records: 3 },
      { date: '2026-08-11', ...none },
      { date: '2026-08-12', condition: 'available', markets: 1, ...NOTHING, records: 1 },
    ]
    expect(await ask(lines, 'calendar')).toEqual({ data: [first, second, third] })
    expect(await ask(lines, 'calendar', { from: '2026-08-12' })).toEqual({ data: [third] })
    expect(await ask(lines, 'calendar', { from: '2026-08-09', to: '2026-08-10' })).toEqual({
      data: [{ date: '2026-08-09', ...none }, first],
    })
    expect(await made.asking()('/kalshi/calendar', {})).toEqual({ data: [] })
  })
  test('counts recorded gaps and gaps inferred from records, with their duration', async () => {
    const long = { ...kalshiGap(100), msg: { reason: 'r', from: NOON + 100, to: NOON + 350 } }
    const open = { ...kalshiGap(400), msg: { reason: 'r', from: NOON + 400 } }
    const lines = [snapshot(0), long, open, snapshot(500), kalshiDelta(510, '0.1', '2'), snapshot(600, '0.3')]
    // The last snapshot differs in three levels from the book before it, whose last record was 90 ms earlier.
    expect(await ask(lines, 'calendar')).toEqual({
      data: [
        {
          ...{ date: '2026-08-10', condition: 'degraded', markets: 1, ...NOTHING, records: 6 },
          ...{ gaps: 3, gap_ms: 250 + 90, inferred_gaps: 1, snapshots_contradicted: 1 },
        },
      ],
    })
  })
  test('reports a stored date within an incident as degraded', async () => {
    const lines = [
      snapshot(Date.parse('2026-04-24T12:00:00Z') - NOON),
      snapshot(Date.parse('2026-04-25T12:00:00Z') - NOON),
    ]
    const conditions = async (query: Record<string, string>) =>
      ((await ask(lines, 'calendar', query))['data'] as { condition: string }[]).map(({ condition }) => condition)
    expect(await conditions({ from: '2026-04-23' })).toEqual(['missing', 'degraded', 'available'])
  })
})

describe('the busiest markets', () => {
  const NAMELESS = { title: null, gaps: 0, gap_ms: 0 }
  const lines = [
    ...[snapshot(0), kalshiDelta(1, '0.4', '1'), made.kalshiFill(2, '0.4', '5', 'yes')],
    ...[snapshot(3), made.kalshiFill(4, '0.4', '0.1', 'yes'), made.kalshiFill(5, '0.4', '0.2', null)].map((line) =>
      of('KXB', line),
    ),
    of('KXA', snapshot(6)),
  ]
  const rows = {
    KXA: { ...NAMELESS, market: 'KXA', records: 1, trades: 0, volume: 0 },
    KXB: { ...NAMELESS, market: 'KXB', records: 3, trades: 2, volume: 0.3 },
    [TICKER]: { ...NAMELESS, market: TICKER, records: 3, trades: 1, volume: 5 },
  }
  const active = (query: Record<string, string>) => ask(lines, 'markets/active', { date: '2026-08-10', ...query })
  test('by records, then by id', async () =>
    expect(await active({})).toEqual({ data: [rows['KXB'], rows[TICKER], rows['KXA']] }))
  test('by trades, up to the limit', async () =>
    expect(await active({ by: 'trades', limit: '1' })).toEqual({ data: [rows['KXB']] }))
  test('by volume', async () =>
    expect(await active({ by: 'volume', limit: '2' })).toEqual({ data: [rows[TICKER], rows['KXB']] }))
  test('by id, from the second on', async () =>
    expect(await active({ by: 'market', offset: '1' })).toEqual({
      data: [rows['KXA'], rows['KXB'], rows[TICKER]].sort((a, b) => (a!.market < b!.market ? -1 : 1)).slice(1),
    }))
  test('are an empty list for a date that is not stored', async () =>
    expect(await ask(lines, 'markets/active', { date: '2026-08-11' })).toEqual({ data: [] }))
})

// Stores or rejects an odd line as documented, and stores the lines after it as if the odd line were not there.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { FileReport } from '../../../workers/load/load-capture.ts'
import { CONDITION, DAY, NOON, TICKER } from '../../model/lines.ts'
import { type StoredRecord, withStore } from '../../support/store.ts'

const delta = (n: number, extra = '', envelope = '"sid":1') =>
  `{"type":"orderbook_delta",${envelope},"seq":${n},"msg":{"market_ticker":"${TICKER}","price_dollars":"0.5000","delta_fp":"1.00","side":"yes","ts_ms":${NOON + n}${extra}}}`
const change = (entries: string) =>
  `{"event_type":"price_change","market":"${CONDITION}","timestamp":"${NOON}","price_changes":[${entries}]}`
const entry = (asset: string, more = '"price":"0.5","size":"1","side":"BUY"') => `{"asset_id":"${asset}",${more}}`

type Loaded = { report: FileReport; kalshi: StoredRecord[]; polymarket: StoredRecord[]; rejects: string[] }

async function load(lines: string[], check: (loaded: Loaded) => void, name = 'c.ndjson'): Promise<void> {
  await withStore(async (store) => {
    const report = await store.loadLines(name, lines)
    const rejected = report.rejectFile === null ? [] : readFileSync(report.rejectFile, 'utf8').trimEnd().split('\n')
    check({
      report,
      kalshi: (await store.dates('kalshi', TICKER)).length === 0 ? [] : await store.records('kalshi', TICKER, DAY),
      polymarket:
        (await store.dates('polymarket', CONDITION)).length === 0
          ? []
          : await store.records('polymarket', CONDITION, DAY),
      rejects: rejected.map((line) => JSON.parse(line).text),
    })
  })
}

const summaryOf = async (lines: string[], venue: 'kalshi' | 'polymarket', book: string) => {
  let buckets: unknown[] = []
  await withStore(async (store) => {
    await store.loadLines('c.ndjson', lines)
    const market = venue === 'kalshi' ? TICKER : CONDITION
    const range = { fromMs: NOON - 1_000, toMs: NOON + 9_000, resolutionSeconds: 60, timestampUnit: 'ms' as const }
    buckets = await store.summary({ venue, market, book, ...range, fill: 'observed', nowMs: Date.now() })
  })
  return buckets as { quote_count: number; best_bid: number | null; best_ask: number | null }[]
}

describe('the lines after an odd line', () => {
  test('keep their msg and sid if the sid of the odd line is not a counter', () =>
    load([delta(1, '', '"sid":-1'), delta(2), delta(3)], ({ kalshi }) => {
      expect(kalshi.map(({ sid }) => sid)).toEqual([null, 1, 1])
      expect(kalshi[1]!.msg).toEqual(JSON.parse(delta(2)).msg)
    }))
})

test('an envelope may name the market of its message', () => {
  const lines = [change(entry('A')), JSON.stringify(change(entry('A'))), `[${change(entry('A'))}]`].map(
    (data, i) => `{"market":"${CONDITION}","ts":${NOON + i},"data":${data}}`,
  )
  return load(lines, ({ polymarket, report }) => {
    expect(report.rejected).toBe(0)
    expect(polymarket.map(({ type, received_at: at }) => [type, at])).toEqual(
      [0, 1, 2].map((ms) => ['delta', NOON + ms]),
    )
  })
})

test('an envelope with a receipt time is not a page; its first time that is not null counts', () => {
  const lines = [
    `{"recv_ms":${NOON + 1},"market_ticker":"${TICKER}","data":[${delta(1)}]}`,
    `{"received_at":null,"ts":${NOON + 2},"event":${delta(2)}}`,
  ]
  return load(lines, ({ kalshi }) => {
    expect(kalshi.map(({ received_at: at }) => at)).toEqual([NOON + 1, NOON + 2])
  })
})

describe('rejected, and unchanged in the reject file:', () => {
  const envelope = `{"recv_ms":${NOON},"event":${delta(1)}}`

  test.each([
    ['an array of envelopes', `[${envelope}]`, envelope],
    ['an envelope in an envelope', `{"recv_ms":${NOON},"event":${envelope}}`, envelope],
    ['a clock that is true', envelope.replace(`${NOON}`, 'true'), envelope.replace(`${NOON}`, 'true')],
    ['white space that is not of JSON', '\u00a0', '\u00a0'],
    ['a deep list', delta(1, `,"a":${'['.repeat(600)}${']'.repeat(600)}`), undefined],
    ['too many books', change(Array.from({ length: 300 }, (_, i) => entry(String(i))).join()), undefined],
    ['a long slug', `{"slug":"${'s'.repeat(1_000)}","conditionId":"${CONDITION}","question":"?"}`, undefined],
  ])('%s', (_name, line, expectedReject = line) =>
    load([line, delta(2)], ({ report, kalshi, rejects }) => {
      expect(rejects).toEqual([expectedReject])
      expect(report).toMatchObject({ rejected: 1, skipped: {}, error: null, lines: 2 })
      expect(kalshi.map(({ seq }) => seq)).toEqual([2])
    }),
  )

  test('a message that has no time and fits no form', () => {
    const line = `{"type":"orderbook_snapshot","sid":1,"seq":2,"msg":{ "market_ticker":"KXNONE","yes_dollars_fp":[["0.5","1"],null]}}`
    return load([line, delta(2)], ({ rejects }) => expect(rejects).toEqual([line]))
  })

  test('a byte order mark', () => load(['{}', '\uFEFF{}'], ({ rejects }) => expect(rejects[1]).toBe('{}')))

  test('a document that nests too deep', () =>
    load(
      [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
      ({ report }) => expect(report.rejected).toBe(1),
      'c.json',
    ))

  test('a ticker of any length, with a reason that is short', () =>
    load([delta(1).replace(TICKER, 'K'.repeat(100_000))], ({ report }) =>
      expect(report.rejects[0]!.reason.length).toBeLessThan(200),
    ))
})

describe('stored:', () => {
  test('one byte order mark at the start of a line is dropped, on the first line and on any other', () =>
    load([`\uFEFF\uFEFF${delta(1)}`, delta(2)], ({ kalshi, rejects }) => {
      expect(kalshi.map(({ seq }) => seq)).toEqual([2])
      expect(rejects).toEqual([`\uFEFF\uFEFF${delta(1)}`])
    }))

  test('a line behind a byte order mark that is not the first', () =>
    load([delta(1), `\uFEFF${delta(2)}`], ({ kalshi }) => expect(kalshi.map(({ seq }) => seq)).toEqual([1, 2])))

  test('the entries after one that is not an object', () =>
    load([change(`null,${entry('A')},${entry('B')}`)], ({ polymarket }) =>
      expect(polymarket.map(({ asset_id: asset }) => asset)).toEqual([null, 'A', 'B']),
    ))

  test('books whose ids differ by a byte order mark, or hold escapes', () => {
    const ids = ['A', '\uFEFFA', '"\\\u0001']
    const lines = ids.map((id) => change(entry(JSON.stringify(id).slice(1, -1))))
    return load(lines, ({ polymarket }) => expect(polymarket.map(({ asset_id: asset }) => asset)).toEqual(ids))
  })

  test('blank lines are counted at the end, too', () =>
    load([delta(1), '', ''], ({ report }) => expect(report.lines).toBe(3)))
})

describe('read:', () => {
  test('a clock with a digit written as an escape', () =>
    load([`{"recv_ms":"${String(NOON).replace('7', '\\u0037')}","event":${delta(1)}}`], ({ report, kalshi }) => {
      expect(report.rejected).toBe(0)
      expect(kalshi.map(({ received_at }) => received_at)).toEqual([NOON])
    }))

  test('ts, not ts_ms, distinguishes quotes in an envelope with more keys', async () => {
    const ts = (n: number) => delta(1, `,"ts":"${DAY}T12:00:00.00100${n}Z"`, '"sid":1,"id":7')
    expect((await summaryOf([ts(1), ts(2)], 'kalshi', TICKER))[0]!.quote_count).toBe(2)
  })

  test.each([
    ['best_bid that is no price says nothing', '"best_bid":"none","best_ask":"0.6"', [0.5, null]],
    ['best_bid that is empty is an empty side', '"best_bid":"","best_ask":"0.6"', [null, 0.6]],
    ['best prices may be numbers', '"best_bid":0.4,"best_ask":0.6', [0.4, 0.6]],
  ])('%s', async (_name, best, expected) => {
    const [bucket] = await summaryOf(
      [change(entry('A', `"price":"0.5","size":"1","side":"BUY",${best}`))],
      'polymarket',
      'A',
    )
    expect<unknown>([bucket!.best_bid, bucket!.best_ask]).toEqual(expected)
  })

  test.each([
    ['0.5000000000000000000000', 0.5],
    ['0.500000000000000001', 0.5],
    ['0.5000001', null],
    ['5e-1', 0.5],
    ['\uFEFF0.5', null],
    ['1.0001', null],
  ])('a price of %s is %p', async (price, expected) => {
    const [bucket] = await summaryOf(
      [change(entry('A', `"price":"${price}","size":"1","side":"BUY"`))],
      'polymarket',
      'A',
    )
    expect(bucket!.best_bid).toBe(expected)
  })
})

// A file is read to its end whatever is wrong with parts of it, and the report counts everything that is not stored.

import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { NOON, priceChange, TICKER } from '../../test/model/lines.ts'
import { type TestStore, withStore } from '../../test/support/store.ts'
import type { FileReport } from './load-capture.ts'

const DATE = '2026-08-10'

const delta = (n: number, ticker = TICKER) =>
  `{"type":"orderbook_delta","sid":1,"seq":${n},"msg":{"market_ticker":"${ticker}","price_dollars":"0.5000","delta_fp":"${n}.00","side":"yes","ts_ms":${NOON + n}}}`
const timeless = (ticker: string) => delta(1, ticker).replace(`,"ts_ms":${NOON + 1}`, '')

/** Returns the sequence numbers of the stored records, in order. */
async function stored(store: TestStore, ticker = TICKER): Promise<unknown[]> {
  const numbers: unknown[] = []
  for (const date of await store.dates('kalshi', ticker))
    numbers.push(...(await store.records('kalshi', ticker, date)).map(({ seq }) => seq))
  return numbers
}

const fieldOf =
  (field: string) =>
  ({ msg }: { msg: object }): unknown =>
    (msg as Record<string, unknown>)[field]

const rejectLines = ({ rejectFile }: FileReport) =>
  readFileSync(rejectFile!, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

async function load(store: TestStore, name: string, bytes: Uint8Array | string): Promise<FileReport> {
  const path = join(store.folder, name)
  await Bun.write(path, bytes)
  return (await store.load(path))[0]!
}

const range = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)
const text = (count: number, from = 1) =>
  range(count, from)
    .map((n) => `${delta(n)}\n`)
    .join('')

describe.each([
  ['gz', gzipSync],
  ['zst', zstdCompressSync],
])('compressed as .%s', (ending, compress) => {
  test('a file of many members is read to its end', () =>
    withStore(async (store) => {
      const whole = text(300)
      // The members do not end where lines do.
      const members = [whole.slice(0, 77), whole.slice(77, 20_000), whole.slice(20_000)].map((part) => compress(part))
      expect(await load(store, `c.ndjson.${ending}`, Buffer.concat(members))).toMatchObject({
        rejected: 0,
        error: null,
      })
      expect(await stored(store)).toEqual(range(300))
    }))

  test('loads the complete lines of a truncated file, and reports its end', () =>
    withStore(async (store) => {
      const bytes = compress(text(5_000))
      const report = await load(store, `c.ndjson.${ending}`, bytes.subarray(0, bytes.length * 0.6))
      expect(report.error).toContain(`c.ndjson.${ending}`)
      const records = await stored(store)
      expect(records).toEqual(range(records.length))
      if (ending === 'gz') expect(records.length).toBeGreaterThan(2_000)
    }))

  test('loads the lines of a complete member, whatever is wrong after it', () =>
    withStore(async (store) => {
      const damaged = compress(text(100, 201)).map((byte, index) => (index > 12 ? byte ^ 0x5a : byte))
      const bytes = Buffer.concat([compress(text(100)), compress(text(100, 101)), damaged])
      const report = await load(store, `c.ndjson.${ending}`, bytes)
      expect(report.error).not.toBeNull()
      expect((await stored(store)).slice(0, 200)).toEqual(range(200))
    }))

  test('ignores zeros after the last member, which a loss of power may leave', () =>
    withStore(async (store) => {
      await load(store, `c.ndjson.${ending}`, Buffer.concat([compress(text(50)), Buffer.alloc(512)]))
      expect(await stored(store)).toEqual(range(50))
    }))

  test('reads a few bytes that inflate to a huge text in order', () =>
    withStore(async (store) => {
      const whole = `${delta(1)}${'\n'.repeat(10_000_000)}${delta(2)}\n${delta(3)}`
      expect(await load(store, `c.ndjson.${ending}`, compress(whole))).toMatchObject({ lines: 10_000_002, error: null })
      expect(await stored(store)).toEqual(range(3))
    }))

  test('an empty file is not an error', () =>
    withStore(async (store) => {
      expect(await load(store, `c.ndjson.${ending}`, compress(''))).toMatchObject({ records: 0, error: null })
    }))
})

describe('lines', () => {
  test('long values that begin like the line before, are longer or shorter, or contain its end', () =>
    withStore(async (store) => {
      const ids = [
        '0123456789ab',
        '0123456789ab',
        '0123456789abcd',
        '0123456789',
        '0123456789ab',
        '0123456789a ',
        '012345',
      ]
      const all = [...ids, ...ids, 'x'.repeat(128), 'x'.repeat(128), 'x'.repeat(129), 'x'.repeat(127), 'x'.repeat(129)]
      const line = (id: string, i: number) =>
        delta(i + 1).replace('"price_dollars"', `"market_id":"${id}","price_dollars"`)
      const report = await load(store, 'c.ndjson', all.map(line).join('\n'))
      expect(report).toMatchObject({ rejected: 0, messages: all.length })
      expect((await store.records('kalshi', TICKER, DATE)).map(fieldOf('market_id'))).toEqual(all)
    }))

  test('times that are milliseconds in one line and RFC 3339 or a fraction in the next', () =>
    withStore(async (store) => {
      const times = [`${NOON + 1}`, `"${NOON + 1}"`, `"0${NOON + 1}"`, `${(NOON + 2) / 1_000}`, `${NOON + 3}`, `"x"`]
      const line = (time: string, i: number) => delta(i + 1).replace(/"ts_ms":\d+/, `"ts_ms":${time}`)
      const bytes = [...times, ...times].map(line).join('\n')
      expect(await load(store, 'c.ndjson', bytes)).toMatchObject({ rejected: 0, messages: 12 })
      const msgs = (await store.records('kalshi', TICKER, DATE)).map((record) =>
        JSON.stringify(fieldOf('ts_ms')(record)),
      )
      expect(msgs.sort()).toEqual([...times, ...times].sort())
    }))

  test('end with CRLF or LF, may be blank, and the last needs no end', () =>
    withStore(async (store) => {
      const bytes = `\r\n${delta(1)}\r\n\n   \n${delta(2)}\n\t\r\n${delta(3)}`
      expect(await load(store, 'c.ndjson', bytes)).toMatchObject({ rejected: 0, messages: 3 })
      expect(await stored(store)).toEqual([1, 2, 3])
    }))

  test('may follow a byte order mark', () =>
    withStore(async (store) => {
      expect(await load(store, 'c.ndjson', `\ufeff${delta(1)}\n${delta(2)}\n`)).toMatchObject({ rejected: 0 })
      expect(await stored(store)).toEqual([1, 2])
    }))

  test('that are control frames are skipped and counted', () =>
    withStore(async (store) => {
      const lines = [
        'PING',
        'PONG',
        '[]',
        '{"type":"subscribed","id":1,"msg":{"channel":"x","sid":1}}',
        '{"type":"ok"}',
      ]
      const report = await store.loadLines('c.ndjson', [...lines, `{"recv_ms":${NOON},"event":"PONG"}`, delta(1)])
      expect(report).toMatchObject({ rejected: 0, records: 1 })
      expect(Object.values(report.skipped).reduce((sum, count) => sum + count)).toBe(6)
    }))

  test.each([
    ['no JSON', '{"type":"orderbook_delta",'],
    ['a number', '42'],
    ['an unknown object', '{"hello":1}'],
    ['no market', '{"type":"orderbook_delta","sid":1,"seq":1,"msg":{"price_dollars":"0.5"}}'],
    ['no ticker', delta(9, 'not a ticker!')],
    ['no condition id', JSON.stringify({ ...priceChange(0), market: '0x12' })],
    ['no time in the envelope', `{"recv_ms":"never","event":${delta(9)}}`],
    ['a clock beyond all dates', `{"recv_ms":1e300,"event":${delta(9)}}`],
    ['a clock beyond all numbers', `{"recv_ms":1e400,"event":${delta(9)}}`],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['nesting beyond sense', delta(9).replace('"seq":9', `"seq":${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ])('a rejected line (%s) is reported and stored, and the rest is loaded', (_name, bad) =>
    withStore(async (store) => {
      const bytes = Buffer.concat([Buffer.from(`${delta(1)}\n\n`), Buffer.from(bad), Buffer.from(`\n${delta(2)}\n`)])
      const report = await load(store, 'c.ndjson', bytes)
      expect(report).toMatchObject({ rejected: 1, error: null })
      expect(report.rejects).toMatchObject([{ file: join(store.folder, 'c.ndjson'), line: 3 }])
      const [reject] = rejectLines(report)
      expect(reject).toMatchObject({ ...report.rejects[0]!, file: join(store.folder, 'c.ndjson') })
      const rejectBytes = reject.text === undefined ? Buffer.from(reject.base64, 'base64') : Buffer.from(reject.text)
      expect(rejectBytes.equals(Buffer.from(bad))).toBe(true)
      expect(await stored(store)).toEqual([1, 2])
    }),
  )

  test('without any time are reported with their line number, and stored', () =>
    withStore(async (store) => {
      const report = await store.loadLines('c.ndjson', [delta(1), timeless('KXNONE'), delta(2), delta(3)])
      expect(report.rejects).toMatchObject([{ line: 2 }])
      expect(rejectLines(report)).toMatchObject([{ line: 2, text: timeless('KXNONE') }])
      expect(await stored(store)).toEqual([1, 2, 3])
    }))

  test('an array with one bad element keeps the others', () =>
    withStore(async (store) => {
      const report = await store.loadLines('c.ndjson', [`[${delta(1)},7,${delta(2)}]`])
      expect(report).toMatchObject({ rejected: 1 })
      expect(await stored(store)).toEqual([1, 2])
    }))

  test('all rejects are in the reject file, the first of them in the report', () =>
    withStore(async (store) => {
      const report = await store.loadLines('c.ndjson', [...range(200).map((n) => `bad ${n}`), delta(1)])
      expect(report.rejected).toBe(200)
      expect(rejectLines(report).map(({ line, text }) => [line, text])).toEqual(range(200).map((n) => [n, `bad ${n}`]))
      expect(report.rejects.length).toBeLessThan(200)
    }))

  test('longer than a chunk are read', () =>
    withStore(async (store) => {
      const note = 'x'.repeat(3 << 20)
      await store.loadLines('c.ndjson', [delta(1), delta(2).replace('"yes"', `"yes","note":"${note}"`), delta(3)])
      expect(await stored(store)).toEqual([1, 2, 3])
    }))
})

describe('files', () => {
  test('that are missing throw, and leave the store as it is', () =>
    withStore(async (store) => {
      await store.loadLines('c.ndjson', [delta(1)])
      const error = await store.load(join(store.folder, 'none.ndjson')).catch((failure: unknown) => failure)
      expect(error).toBeDefined()
      expect(await stored(store)).toEqual([1])
    }))

  test('of the same name in two folders have reject files of their own', () =>
    withStore(async (store) => {
      for (const folder of ['a', 'b']) mkdirSync(join(store.folder, folder))
      const first = await load(store, 'a/c.ndjson', 'bad')
      const second = await load(store, 'b/c.ndjson', 'bad')
      expect(first.rejectFile).not.toBe(second.rejectFile)
    }))

  test('with more records than a block holds keep all of them in order', () =>
    withStore(async (store) => {
      expect(await load(store, 'c.ndjson', text(40_000))).toMatchObject({ records: 40_000, recordsAdded: 40_000 })
      const [day] = await store.store.catalogue.heads('kalshi', TICKER)
      expect(day?.head.blocks.length).toBe(3)
      expect(await stored(store)).toEqual(range(40_000))
      expect(await store.dates('kalshi', TICKER)).toEqual([DATE])
    }))
})

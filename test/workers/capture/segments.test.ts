// A segment is a capture like any other: other lines around its messages do not change how the messages are stored.

import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { controlLine, frameLine, gapLine, restLine } from '../../../workers/segment/segment-lines.ts'
import { CONDITION, NOON, TICKER } from '../../model/lines.ts'
import { dateRequest, type TestStore, withStore } from '../../support/store.ts'

const DATE = '2026-08-10'
const ns = (ms: number) => BigInt(ms) * 1_000_000n + 123_456n
const delta = (n: number, fields: object = {}) => ({
  ...{ type: 'orderbook_delta', sid: 1, seq: n },
  msg: { market_ticker: TICKER, price_dollars: '0.5000', delta_fp: `${n}.00`, side: 'yes', ts_ms: NOON + n, ...fields },
})

async function load(store: TestStore, name: string, pieces: (string | Uint8Array)[]) {
  const path = join(store.folder, name)
  const frames = pieces.map((piece) => (typeof piece === 'string' ? Bun.zstdCompressSync(piece) : piece))
  await Bun.write(path, Buffer.concat(frames))
  return (await store.load(path))[0]!
}

const stored = (store: TestStore) => store.records('kalshi', TICKER, DATE)

/** Messages as text, in every form that a frame can have. */
const TEXTS = [
  JSON.stringify(delta(1)),
  `${JSON.stringify(delta(2))}\n`,
  `  ${JSON.stringify(delta(3))} \r\n`,
  JSON.stringify([delta(4), delta(5, { ts_ms: NOON + 5, note: 'a "quote", a \\ and a / and a \t' })]),
  `[\n${JSON.stringify(delta(6), null, 2)}\n,${JSON.stringify(delta(7))}]`,
  JSON.stringify(delta(8, { note: 'ä€😀' })),
  JSON.stringify(delta(9)).replace('yes', 'y\\u0065s'),
  JSON.stringify(delta(10, { note: 'x'.repeat(200_000) })),
  ...Array.from({ length: 50 }, (_, i) => JSON.stringify(delta(11 + i))),
]

describe('frames of a segment', () => {
  test('give the same records as JSON in an envelope', () =>
    withStore((quoted) =>
      withStore(async (plain) => {
        const lines = TEXTS.map((text, i) => frameLine(text, ns(NOON + 100 + i), BigInt(7 * i)))
        const report = await load(quoted, 's.ndjson.zst', [lines.join('')])
        expect(report).toMatchObject({ messages: 60, rejected: 0, error: null, isCutOff: false })
        const events = TEXTS.map((text, i) =>
          JSON.stringify({ recv_ns: 0, event: JSON.parse(text) }).replace(':0', `:${ns(NOON + 100 + i)}`),
        )
        await plain.loadLines('p.ndjson', events)
        expect(await stored(quoted)).toEqual(await stored(plain))
        expect((await stored(quoted))[7]!.msg).toEqual(delta(8, { note: 'ä€😀' }).msg)
      }),
    ))

  test('have no receipt where a replay had none', () =>
    withStore(async (store) => {
      await load(
        store,
        's.ndjson.zst',
        TEXTS.map((text, i) => frameLine(text, null, BigInt(i))),
      )
      expect(new Set((await stored(store)).map(({ received_at }) => received_at))).toEqual(new Set([null]))
      expect(await stored(store)).toHaveLength(60)
    }))

  test('that hold no record are skipped and counted; those that hold no message are rejected', () =>
    withStore(async (store) => {
      const texts = ['PONG', '{"id":1,"type":"subscribed","msg":{"channel":"trade","sid":2}}', '[]', '{"a":1}', '{']
      const report = await load(store, 's.ndjson.zst', [
        ...texts.map((text) => frameLine(text, ns(NOON), 1n)),
        '\n',
        frameLine(TEXTS[0]!, ns(NOON), 1n),
      ])
      expect(report).toMatchObject({ messages: 1, rejected: 2, skipped: { pong: 1, subscribed: 1, empty: 1 } })
      expect(report.rejects.map(({ line, reason }) => `${line}: ${reason.split(':')[0]}`)).toEqual([
        '4: neither a Polymarket nor a Kalshi message',
        "5: the envelope's text is not JSON",
      ])
    }))
})

describe('other lines of a segment', () => {
  test('control lines are skipped and counted', () =>
    withStore(async (store) => {
      const report = await load(store, 's.ndjson.zst', [
        controlLine('segment', ns(NOON), { venue: 'kalshi', market: TICKER }),
        controlLine('command', ns(NOON), { raw: '{"id":1}' }),
        frameLine(TEXTS[0]!, ns(NOON), 1n),
        controlLine('command', ns(NOON), { raw: '{"id":2}' }),
      ])
      expect(report).toMatchObject({
        ...{ messages: 1, rejected: 0, skipped: { 'backbook segment': 1, 'backbook command': 2 } },
      })
    }))

  test.each([[false], [null], [undefined]])('prices of NO are on the scale of NO if use_yes_price is %j', (given) =>
    withStore(async (store) => {
      const header = controlLine('segment', ns(NOON), { venue: 'kalshi', use_yes_price: given })
      const report = await load(store, 's.ndjson.zst', [header, frameLine(TEXTS[0]!, ns(NOON), 1n)])
      expect(report).toMatchObject({ recordsAdded: 1, error: null })
    }),
  )

  test('a segment whose use_yes_price is not a boolean is refused whole', () =>
    withStore(async (store) => {
      const header = controlLine('segment', ns(NOON), { venue: 'kalshi', use_yes_price: 'yes' })
      const audit = controlLine('audit', ns(NOON), { venue: 'kalshi', market: TICKER, result: 'exact' })
      const report = await load(store, 's.ndjson.zst', [frameLine(TEXTS[0]!, ns(NOON), 1n), header, audit])
      expect(report).toMatchObject({ recordsAdded: 0, metadata: 0 })
      expect(report.error).toBe(
        `${join(store.folder, 's.ndjson.zst')} is not loaded: its header says use_yes_price "yes", which ` +
          'must be true or false',
      )
      expect(await store.dates('kalshi', TICKER)).toEqual([])
    }))

  test('a key `backbook` that is not the first is ignored', () =>
    withStore(async (store) => {
      const report = await load(store, 's.ndjson.zst', [`${JSON.stringify({ ...delta(1), backbook: 'command' })}\n`])
      expect(report).toMatchObject({ messages: 1, skipped: {} })
    }))

  test('gaps are records', () =>
    withStore(async (store) => {
      const msg = { from: NOON, to: NOON + 5, connection: 'k1', scope: 'book', closed_by: 'snapshot' } as const
      const gap = {
        venue: 'kalshi',
        market: TICKER,
        msg: { reason: 'sequence_hole', ...msg, expected: 5, got: 7 },
      } as const
      await load(store, 's.ndjson.zst', [gapLine(gap)])
      expect(await stored(store)).toMatchObject([{ type: 'gap', timestamp: NOON, msg: gap.msg }])
    }))

  test('a REST book of Kalshi is a snapshot of the market that its line names, and loads again as it is printed', () =>
    withStore(async (store) => {
      const book = { orderbook_fp: { yes_dollars: [['0.4000', '5.00']], no_dollars: [['0.5500', '7.00']] } }
      const empty = { orderbook_fp: { yes_dollars: [], no_dollars: [] } }
      const legacy = { orderbook: { yes: [[41, 9]], no: null, yes_dollars: [['0.41', 9]] } }
      const report = await load(store, 's.ndjson.zst', [
        restLine(JSON.stringify(book), ns(NOON + 1), TICKER),
        restLine(JSON.stringify(empty), ns(NOON + 2), TICKER),
        restLine(`${JSON.stringify(legacy)}\n`, ns(NOON + 3), TICKER),
      ])
      expect(report).toMatchObject({ messages: 3, rejected: 0 })
      const records = await stored(store)
      expect(records).toEqual(
        [book, empty, legacy].map((msg, i) => ({
          ...{ type: 'snapshot', timestamp: NOON + 1 + i, received_at: NOON + 1 + i },
          ...{ ticker: TICKER, sid: null, seq: null, msg },
        })),
      )
      const buckets = await store.summary(dateRequest('kalshi', TICKER, TICKER, DATE, 1))
      expect(buckets.at(-1)).toMatchObject({ best_bid: 0.41, best_ask: null, best_bid_size: 9 })
      await withStore(async (again) => {
        await again.loadLines(
          'printed.ndjson',
          records.map((record) => JSON.stringify(record)),
        )
        expect(await stored(again)).toEqual(records)
        expect(
          await store.loadLines(
            'own.ndjson',
            records.map((record) => JSON.stringify(record)),
          ),
        ).toMatchObject({
          ...{ records: 3, recordsAdded: 0 },
        })
      })
    }))

  test('a REST book of Polymarket and metadata of both venues are read as such', () =>
    withStore(async (store) => {
      const book = { market: CONDITION, asset_id: '1', timestamp: String(NOON), hash: 'h', bids: [], asks: [] }
      const gamma = { slug: 'an-event', markets: [{ conditionId: CONDITION, question: 'Q?', slug: 'q' }] }
      const kalshi = { markets: [{ ticker: TICKER, event_ticker: 'KXE', title: 'T' }], cursor: '' }
      const report = await load(store, 's.ndjson.zst', [
        restLine(JSON.stringify(book), ns(NOON + 1)),
        restLine(JSON.stringify([gamma]), ns(NOON + 2)),
        restLine(JSON.stringify(kalshi), ns(NOON + 3)),
      ])
      expect(report).toMatchObject({ messages: 1, rejected: 0, metadata: 3 })
      expect(await store.records('polymarket', CONDITION, DATE)).toMatchObject([{ type: 'snapshot', msg: book }])
    }))

  test('a ticker beside a body that needs none is ignored', () =>
    withStore(async (store) => {
      await load(store, 's.ndjson.zst', [restLine(JSON.stringify(delta(1)), ns(NOON + 1), 'KXOTHER')])
      expect(await stored(store)).toHaveLength(1)
    }))
})

describe('a segment that ends within a frame', () => {
  const first = TEXTS.slice(0, 4).map((text, i) => frameLine(text, ns(NOON), BigInt(i)))
  const cut = Bun.zstdCompressSync(frameLine(TEXTS[20]!, ns(NOON), 9n)).slice(0, -5)

  test('is accepted and reported as cut off if its recorder did not close it', () =>
    withStore(async (store) => {
      const report = await load(store, 's.ndjson.zst.part', [first.join(''), cut])
      expect(report).toMatchObject({ messages: 5, rejected: 0, error: null, isCutOff: true })
      expect(await stored(store)).toHaveLength(5)
    }))

  test('is an error in any other capture', () =>
    withStore(async (store) => {
      const report = await load(store, 's.ndjson.zst', [first.join(''), cut])
      expect(report.isCutOff).toBe(false)
      expect(report.error).toContain('unexpected end of file')
    }))

  test('damage is reported as damage', () =>
    withStore(async (store) => {
      const report = await load(store, 's.ndjson.zst.part', [first.join(''), new TextEncoder().encode('no frame')])
      expect(report.error).toContain('no zstd data')
    }))

  test('is found in a folder beside closed segments', () =>
    withStore(async (store) => {
      mkdirSync(join(store.folder, 'segments'))
      const { findCaptures } = await import('../../../workers/capture/find-captures.ts')
      const names = ['a.ndjson.zst', 'b.ndjson.zst.part', 'c.part']
      for (const name of names) await Bun.write(join(store.folder, 'segments', name), '')
      const found = findCaptures([join(store.folder, 'segments')])
      expect(found.map((path) => path.split('/').at(-1)!)).toEqual(['a.ndjson.zst', 'b.ndjson.zst.part'])
    }))
})

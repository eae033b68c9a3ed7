// long: the slow model answers, too
// A real capture gives the same store, whether it is loaded whole, twice, in parts, in another order or spelling.

import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Random } from '../../workers/synthetic/random.ts'
import { IS_LONG, partWhileWaiting } from '../run/effort.ts'
import { capture, hasCaptures } from '../support/captures.ts'
import { dateRequest, type TestStore, withStore } from '../support/store.ts'
import * as text from './capture-text.ts'

const { KALSHI_QUIET, KALSHI_OTHER, KALSHI_DAY_1, KALSHI_DAY_2, KALSHI_RECONNECT, FED, JOKIC, LUKA, CHANGES } = text

/** Content of a store into which files were loaded whole, by their paths. */
const wholes = new Map<string, Promise<Stored>>()
type Summary = Record<string, unknown>
/** Records by market, as printed text: text needs less memory than values and is faster to compare. */
type Records = Record<string, string[]>
type Stored = { records: Records; summaries: Summary }

afterAll(() => wholes.clear())

function whole(...paths: string[]) {
  const name = paths.join()
  if (!wholes.has(name))
    wholes.set(
      name,
      stored(async (store) => void (await store.load(...paths.map(capture)))),
    )
  return wholes.get(name)!
}

async function stored(load: (store: TestStore) => Promise<void>): Promise<Stored> {
  let result = { records: {} as Records, summaries: {} as Summary }
  await withStore(async (store) => {
    await load(store)
    result = { records: await printed(store), summaries: await allSummaries(store) }
  })
  return result
}

async function printed(store: TestStore): Promise<Records> {
  const records: Records = {}
  for (const { venue, market } of await text.marketsOf(store)) records[market] = await store.printed(venue, market)
  return records
}

async function allSummaries(store: TestStore): Promise<Summary> {
  const summaries: Summary = {}
  for (const { venue, market } of await text.marketsOf(store)) {
    for (const { date, head } of await store.store.catalogue.heads(venue, market)) {
      for (const { id } of head.books) {
        summaries[`${id} ${date}`] = await store.summary(dateRequest(venue, market, id, date, 20))
      }
    }
  }
  return summaries
}

/** Returns buckets of 1 s for each day, from its first record to its last. */
async function seconds(store: TestStore): Promise<Summary> {
  const summaries: Summary = {}
  for (const { venue, market } of await text.marketsOf(store)) {
    for (const { date, head } of await store.store.catalogue.heads(venue, market)) {
      for (const { id } of head.books) {
        const window = { fromMs: head.firstMs, toMs: head.lastMs }
        summaries[`${id} ${date}`] = await store.summary({ ...dateRequest(venue, market, id, date, 1), ...window })
      }
    }
  }
  return summaries
}

const loadParts = (parts: string[][]) =>
  stored(async (store) => {
    for (const [index, lines] of parts.entries()) await store.loadLines(`part-${index}.ndjson`, lines)
  })

async function expectSame(path: string, parts: string[][]): Promise<void> {
  const [actual, expected] = [await loadParts(parts), await whole(path)]
  expect(Object.keys(actual.records)).toEqual(Object.keys(expected.records))
  for (const [key, records] of Object.entries(expected.records)) {
    expect(Bun.deepEquals(actual.records[key], records) ? 'same records' : key).toBe('same records')
  }
  expect(Bun.deepEquals(actual.summaries, expected.summaries)).toBe(true)
}

/** Expects the same records and answers. Records of the same ms may be in another order, because a merge may change
 *  their order. */
async function expectSameAnswers(actual: Stored, ...paths: string[]): Promise<void> {
  const expected = await whole(...paths)
  expect(Object.keys(actual.records)).toEqual(Object.keys(expected.records))
  for (const [key, records] of Object.entries(expected.records)) {
    expect(Bun.deepEquals(actual.records[key]?.toSorted(), records.toSorted()) ? 'same records' : key).toBe(
      'same records',
    )
  }
  expect(Bun.deepEquals(actual.summaries, expected.summaries)).toBe(true)
}

const ENVELOPES: [name: string, wrap: (line: string) => string][] = [
  ['an array instead of one message', (line: string) => line.replace(/"event":(.*)\}$/s, '"event":[$1]}')],
  ['the message as text', (line: string) => envelope(line, (ms, event) => ({ recv_ts_ms: ms, raw: event }))],
  ['another clock', (line: string) => envelope(line, (ms, event) => `{"received_at":"${iso(ms)}","data":${event}}`)],
  ['the clock behind', (line: string) => envelope(line, (ms, event) => `{"message":${event},"recv_ms":${ms}}`)],
]

describe.skipIf(!hasCaptures)('a real capture', () => {
  describe.each(partWhileWaiting([KALSHI_QUIET, FED, JOKIC, CHANGES], 2))('%s', (path) => {
    const random = new Random(1_900, path)

    test('loaded twice is loaded once', async () => {
      await withStore(async (store) => {
        const [, second] = await store.load(capture(path), capture(path))
        expect(second).toMatchObject({ recordsAdded: 0, partitionsChanged: 0, rejected: 0, error: null })
      })
    })

    test('in overlapping parts', async () => {
      await expectSame(path, text.overlappingParts(text.linesOf(path), 4, random))
    })

    test('in overlapping parts, in any order', async () => {
      const parts = text.overlappingParts(text.linesOf(path), 5, random)
      await expectSame(path, text.shuffled(parts, random))
    })

    test('with the rest of it loaded around its middle', async () => {
      const lines = text.linesOf(path)
      const [third, twoThirds] = [Math.floor(lines.length / 3), Math.floor((2 * lines.length) / 3)]
      await expectSame(path, [lines.slice(third, twoThirds), lines])
    })
  })

  test.each(partWhileWaiting(ENVELOPES, 2))('in a second envelope: %s', async (_name, wrap) => {
    await expectSame(KALSHI_QUIET, [text.linesOf(KALSHI_QUIET).slice(0, 9_000).map(wrap), text.linesOf(KALSHI_QUIET)])
    const rewrapped = text.linesOf(KALSHI_QUIET).map(wrap)
    await expectSame(KALSHI_QUIET, [rewrapped])
  })

  test.each([KALSHI_QUIET, FED, JOKIC])('%s merges with itself written by another program', async (path) => {
    await withStore(async (store) => {
      const rewritten = text.linesOf(path).map((line) => text.asPythonWrites(JSON.parse(line)))
      await store.load(capture(path))
      const report = await store.loadLines('rewritten.ndjson', rewritten)
      expect(report).toMatchObject({ recordsAdded: 0, rejected: 0, error: null })
    })
  })

  test.each(partWhileWaiting([KALSHI_QUIET, KALSHI_OTHER, KALSHI_RECONNECT], 3))(
    'two recorders that each lose a tenth of %s give all of it',
    async (path) => {
      const random = new Random(16, path)
      const lines = text.linesOf(path)
      const recorders: string[][] = [[], []]
      // The store holds as many copies of a message as the recorder with the most copies has. So a recorder may lose
      // only messages that occur once.
      const byMessage = Map.groupBy(lines, (line) => JSON.stringify(text.messagesOf(line).map(({ msg }) => msg)))
      const isUnique = new Set([...byMessage.values()].filter((same) => same.length === 1).flat())
      for (const line of lines) {
        const lost = isUnique.has(line) ? random.below(10) : -1
        recorders.forEach((recorder, i) => {
          if (lost !== i) recorder.push(line)
        })
      }
      let expected: Summary = {}
      await withStore(async (store) => {
        await store.load(capture(path))
        expected = await seconds(store)
      })
      for (const parts of IS_LONG ? [recorders, recorders.toReversed()] : [recorders]) {
        await withStore(async (store) => {
          for (const [index, part] of parts.entries()) await store.loadLines(`part-${index}.ndjson`, part)
          expect(Bun.deepEquals(await seconds(store), expected)).toBe(true)
        })
      }
    },
  )

  test('sorted by book: one Polymarket file per asset', async () => {
    // Leaves out FED, which has only 51 s: a step back of up to 60 s counts as jitter, so sorting would change its
    // times.
    for (const path of [JOKIC, LUKA]) {
      const split = text.linesOf(path).flatMap(text.splitByAsset)
      const sorted = split.toSorted((a, b) => (a.asset < b.asset ? -1 : a.asset > b.asset ? 1 : 0))
      await expectSameAnswers(await loadParts([sorted.map(({ line }) => line)]), path)
    }
  })

  test('several markets in one file, mixed by time and sorted by ticker', async () => {
    const paths = [KALSHI_OTHER, KALSHI_QUIET, KALSHI_DAY_2]
    const received = (line: string) => Number(/^\{"recv_ms":(\d+)/.exec(line)![1])
    const sorted = paths.flatMap(text.linesOf)
    const mixed = sorted.toSorted((a, b) => received(a) - received(b))
    for (const lines of [mixed, sorted]) {
      await expectSameAnswers(await loadParts([lines]), ...paths)
    }
  })

  test('two days, loaded in either order, continue the book over midnight', async () => {
    const swapped = await stored(async (store) => void (await store.load(capture(KALSHI_DAY_2), capture(KALSHI_DAY_1))))
    const expected = await whole(KALSHI_DAY_1, KALSHI_DAY_2)
    expect(Bun.deepEquals(swapped.records, expected.records)).toBe(true)
    expect(Bun.deepEquals(swapped.summaries, expected.summaries)).toBe(true)
  })
})

describe.skipIf(!hasCaptures)('a cursor', () => {
  const venue = 'polymarket'
  const range = { fromMs: 0, toMs: Date.parse('2030-01-01') }

  test.each([JOKIC, LUKA])('of %s continues exactly after later data is added', async (path) => {
    const lines = text.linesOf(path)
    await withStore(async (store) => {
      const half = Math.floor(lines.length / 2)
      await store.loadLines('first.ndjson', lines.slice(0, half))
      const [{ market }] = (await text.marketsOf(store)) as [text.StoredMarket]
      const page = { venue, market, book: null, limit: 700 } as const
      const first = await store.page({ ...page, scope: { ...range, after: null } })
      expect(first.hasMore).toBe(true)
      await store.loadLines('later.ndjson', lines.slice(half - 100))
      const records = [...first.data]
      for (let { next } = first; next !== null; ) {
        const following = await store.page({ ...page, scope: { ...range, after: next } })
        records.push(...following.data)
        next = following.next
      }
      const expected = Object.values((await whole(path)).records).flatMap((lines) =>
        lines.map((line) => JSON.parse(line)),
      )
      expect(Bun.deepEquals(records, expected)).toBe(true)
    })
  })

  test('is refused once earlier data was added', async () => {
    const lines = text.linesOf(LUKA)
    await withStore(async (store) => {
      const [third, half] = [Math.floor(lines.length / 3), Math.floor(lines.length / 2)]
      await Bun.write(join(store.folder, 'gap.ndjson'), lines.toSpliced(20, third).slice(0, half).join('\n'))
      await store.load(join(store.folder, 'gap.ndjson'))
      const [{ market }] = (await text.marketsOf(store)) as [text.StoredMarket]
      const request = { venue, market, book: null, limit: 60 } as const
      const { next } = await store.page({ ...request, scope: { ...range, after: null } })
      expect(next).not.toBeNull()
      await store.load(capture(LUKA))
      expect(async () => await store.page({ ...request, scope: { ...range, after: next } })).toThrow(
        expect.objectContaining({ code: 'cursor_stale' }),
      )
    })
  })
})

const iso = (ms: number) => new Date(ms).toISOString()

/** Puts a line's message into another envelope, without touching its text. */
function envelope(line: string, wrap: (receivedMs: number, event: string) => string | object): string {
  const [, ms, event] = /^\{"recv_ms":(\d+),"event":(.*)\}$/s.exec(line)!
  const wrapped = wrap(Number(ms), event!)
  return typeof wrapped === 'string' ? wrapped : JSON.stringify(wrapped)
}

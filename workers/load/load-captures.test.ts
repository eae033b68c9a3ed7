// long: each load is made by one thread, by several and in parts
// The stored bytes do not depend on how many threads load, and a load that is killed leaves complete captures.

import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CONDITION, kalshiDelta, kalshiSnapshot, kalshiTrade, NOON, TICKER } from '../../test/model/lines.ts'
import { effort, IS_LONG, partWhileWaiting, seeds } from '../../test/run/effort.ts'
import { withStore } from '../../test/support/store.ts'
import { OddMessages } from '../../test/workers/capture/odd-messages.ts'
import {
  asText,
  contents,
  type File,
  file,
  gzipped,
  type Loaded,
  loaded,
} from '../../test/workers/load/loaded-captures.ts'
import { RandomCapture } from '../../test/workers/load/random-capture.ts'
import { Random } from '../synthetic/random.ts'
import { syntheticDay } from '../synthetic/synthetic-day.ts'
import { type FileReport, loadCapture, loadWith, type Reader } from './load-capture.ts'
import { loadCaptures, startThreads } from './load-captures.ts'
import { ThreadReader } from './thread-reader.ts'

const json = (lines: object[]) => lines.map((line) => JSON.stringify(line))
const started = (IS_LONG ? [1, 3] : [3]).map(startThreads)
afterAll(async () => {
  for (const thread of started.flat()) await thread.close()
})

const alone = (files: File[]) => loaded(files, (store, paths) => store.load(...paths))
const inThreads = (files: File[], threads: Reader[]) =>
  loaded(files, (store, paths) => loadWith(threads, store.store, store.folder, paths))

/** Loads `marketsAtOnce` markets at a time, and the next ones when these are stored. */
const inParts = (files: File[], marketsAtOnce: number) =>
  loaded(files, async ({ store, folder }, paths) => {
    const reports: FileReport[] = []
    for (const path of paths) reports.push(await loadCapture(store, folder, path, () => {}, marketsAtOnce))
    return reports
  })
const inThreadedParts = (files: File[], marketsAtOnce: number) =>
  loaded(files, ({ store, folder }, paths) => loadWith(started.at(-1)!, store, folder, paths, { marketsAtOnce }))

const threadWays: ((files: File[], marketsAtOnce: number) => Promise<Loaded>)[] = [
  ...started.map((threads) => (files: File[]) => inThreads(files, threads)),
  inThreadedParts,
]
const ways = [...partWhileWaiting(threadWays, 2), ...(IS_LONG ? [inParts] : [])]

async function expectSame(files: File[], marketsAtOnce = 1): Promise<Loaded> {
  const expected = await alone(files)
  for (const load of ways) expect(await load(files, marketsAtOnce)).toEqual(expected)
  return expected
}

/** The first message of a capture is of another market: with one market at a time, all others are spilled. */
const elsewhere = JSON.stringify({ recv_ms: NOON, event: kalshiTrade(0, 'elsewhere') }).replace(TICKER, 'KXELSEWHERE')

describe('several threads, and loads in parts, store the same as one thread at once', () => {
  test.each(seeds(1, 2, 12))('of random captures in overlapping parts, seed %d', async (seed) => {
    const lines = new RandomCapture(seed, seed % 2 === 0).lines(300)
    const random = new Random(seed, 'parts')
    const parts = Array.from({ length: 4 }, (_, index) => {
      const start = random.below(200)
      return file(`part-${index}.ndjson`, lines.slice(start, start + random.between(20, 100)))
    })
    const { contents } = await expectSame(
      [...parts, parts[0]!].map((part, i) => ({ ...part, name: `${i}-${part.name}` })),
    )
    expect(contents.length).toBeGreaterThan(2)
  })

  test('of a day of many markets of both venues, several to a line, and again', async () => {
    const day = syntheticDay({
      date: '2026-07-20',
      kalshiRecords: effort(4_000, 12_000),
      polymarketRecords: effort(2_000, 5_000),
    })
    const kalshi = [...day.kalshiLines]
    const polymarket = [...day.polymarketLines]
    const mixed = kalshi.flatMap((line, i) => (i < polymarket.length ? [line, polymarket[i]!] : [line]))
    const arrays = Array.from({ length: 2_000 }, (_, i) => {
      const [one, other] = [kalshiDelta(2 * i, '0.48', '1.00'), kalshiTrade(2 * i + 1, `${i}`)]
      return {
        recv_ms: NOON + 2 * i + 3,
        event: [one, other, { ...one, msg: { ...one.msg, market_ticker: 'KXOTHER' } }],
      }
    })
    const files = [gzipped('mixed.ndjson', mixed), file('arrays.ndjson', json(arrays)), gzipped('again.ndjson', kalshi)]
    const { reports } = await expectSame(files)
    expect(reports).toMatchObject([{ error: null, rejected: 0 }, { records: 6_000 }, { recordsAdded: 0 }])
  })

  test('of odd messages, each unlike the others', async () => {
    const odd = new OddMessages(7)
    const lines = Array.from({ length: 1_000 }, (_, index) => odd.next(index))
    await expectSame([file('odd.ndjson', lines)])
  })

  test('of more forms than are remembered', async () => {
    const line = (i: number) => ({ recv_ms: NOON + i, event: { ...kalshiTrade(i, `${i}`), note: `a"${i}` } })
    const count = effort(1_500, 4_500)
    const lines = Array.from({ length: count }, (_, i) =>
      JSON.stringify(line(i)).replace('"sid":1', `"s${i}":1,"sid":1`),
    )
    const { reports } = await expectSame([file('forms.ndjson', [elsewhere, ...lines])])
    expect(reports).toMatchObject([{ records: count + 1, rejected: 0 }])
  })

  test('of records without a time, before, between and after others, and alone', async () => {
    const untimed = (ticker: string, id: number) => {
      const { msg: _, ...rest } = kalshiTrade(0, '')
      return { ...rest, msg: { market_ticker: ticker, trade_id: `${id}` } }
    }
    const lines = json([
      ...Array.from({ length: 30 }, (_, i) => untimed(i % 2 === 0 ? TICKER : 'KXNEVER', i)),
      kalshiTrade(5, 'timed'),
      ...Array.from({ length: 10_050 }, (_, i) => untimed('KXMANY', i)),
      ...Array.from({ length: 20 }, (_, i) => untimed(TICKER, 100 + i)),
      kalshiTrade(9, 'timed again'),
      untimed(TICKER, 200),
    ])
    const { reports } = await expectSame([file('untimed.ndjson', [...lines, 'nonsense', '{"type":"trade"}'])])
    expect(reports).toMatchObject([{ records: 38, rejected: 10_067 }])
  })

  test('of a message without a time that is split by book: the rejects keep what the capture has', async () => {
    const change = { price: '0.5', size: '1', side: 'BUY' }
    const line = JSON.stringify({
      event_type: 'price_change',
      market: CONDITION,
      price_changes: [
        { asset_id: '1', ...change },
        { ...change, asset_id: '2', extra: [1] },
      ],
    })
    const { reports } = await expectSame([file('untimed-books.ndjson', [elsewhere, line])])
    expect(reports).toMatchObject([{ records: 1, rejected: 2 }])
    expect(JSON.stringify(reports)).toContain('extra')
  })

  test('of many tiny files, some of them empty, one a document', async () => {
    const files = Array.from({ length: 40 }, (_, i) => {
      const line = {
        recv_ms: NOON + i,
        event: i % 3 === 0 ? kalshiSnapshot([['0.48', `${i}.00`]]) : kalshiTrade(i, `${i}`),
      }
      return gzipped(`tiny-${i}.ndjson`, i % 7 === 6 ? [] : [JSON.stringify(line)])
    })
    const document = file('document.json', [
      JSON.stringify(
        json([kalshiTrade(1, 'a'), kalshiTrade(2, 'b')]).map((text) => JSON.parse(text)),
        null,
        2,
      ),
    ])
    await expectSame([...files, document])
  })

  test('of messages larger than one batch between threads', async () => {
    const levels = (count: number) =>
      Array.from({ length: count }, (_, i): [string, string] => [`0.${1_000 + (i % 8_000)}`, `${i}.00`])
    const lines = json([
      { recv_ms: NOON, event: kalshiSnapshot(levels(10), levels(effort(50_000, 90_000))) },
      { recv_ms: NOON + 5, event: kalshiDelta(5, '0.48', '1.00') },
      { recv_ms: NOON + 6, event: kalshiSnapshot(levels(effort(80_000, 200_000))) },
      { recv_ms: NOON + 7, event: { ...kalshiTrade(7, 'x'), note: 'y'.repeat(3 << 20) } },
    ])
    const { reports } = await expectSame([file('large.ndjson', [elsewhere, ...lines])])
    expect(reports).toMatchObject([{ records: 5, rejected: 0 }])
  })

  test('of files that are cut off, damaged, or have damaged members', async () => {
    const lines = [...syntheticDay({ date: '2026-07-20', kalshiRecords: 2_500, polymarketRecords: 1 }).kalshiLines]
    const whole = gzipSync(asText(lines))
    const broken = Uint8Array.from(whole)
    broken.fill(0x55, whole.length >> 1, (whole.length >> 1) + 40)
    const [first, second] = [gzipSync(asText(lines.slice(0, 1_000))), gzipSync(asText(lines.slice(1_000)))]
    const { reports } = await expectSame([
      { name: 'cut.ndjson.gz', bytes: whole.subarray(0, whole.length - 2_000) },
      { name: 'broken.ndjson.gz', bytes: broken },
      { name: 'members.ndjson.gz', bytes: Buffer.concat([first, second, new Uint8Array(100).fill(1)]) },
      { name: 'half-line.ndjson', bytes: asText(lines).subarray(0, 100_001) },
    ])
    const error = expect.stringContaining('Cannot read')
    expect(reports).toMatchObject([{ error }, { error }, { error }, { error: null }])
  })

  test('of days that follow each other, with books that stay open', async () => {
    const days = syntheticDay({ date: '2026-07-20', kalshiRecords: 4_000, polymarketRecords: 1 })
    const lines = [...days.kalshiLines]
    const moved = (line: string, day: number) =>
      line
        .replaceAll('2026-07-20', `2026-07-${20 + day}`)
        .replaceAll(/\b178\d{10}\b/g, (ms) => `${Number(ms) + day * 86_400_000}`)
    const two = lines.concat(lines.filter((line) => !line.includes('snapshot')).map((line) => moved(line, 1)))
    await expectSame([
      file('two-days.ndjson', two),
      file(
        'third.ndjson',
        lines.map((line) => moved(line, 2)),
      ),
    ])
  })

  test('of thousands of markets', async () => {
    const lines = Array.from({ length: 6_000 }, (_, i) =>
      JSON.stringify({ recv_ms: NOON + i, event: kalshiTrade(i, `${i}`) }).replace(TICKER, `KXMANY-${(i * 7) % 2_500}`),
    )
    await expectSame([file('many.ndjson', lines)], 1_000)
  })
})

describe('loadCaptures', () => {
  test('reports progress over all captures, and returns their reports in order', () =>
    withStore(async (store) => {
      const paths = ['b', 'a', 'c'].map((name) => join(store.folder, `${name}.ndjson`))
      for (const [index, path] of paths.entries()) await Bun.write(path, asText(json([kalshiTrade(index, path)])))
      const seen: number[] = []
      const onProgress = ({ fileBytes }: { fileBytes: number }) => seen.push(fileBytes)
      const reports = await loadCaptures(store.store, store.folder, paths, { processors: 4, onProgress })
      expect(reports.map((report) => report.file)).toEqual(paths)
      expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      expect(seen.at(-1)).toBe(reports.reduce((sum, { bytes }) => sum + bytes, 0))
    }))

  test('fails where a thread does, and commits nothing of that capture', () =>
    withStore(async (store) => {
      const path = join(store.folder, 'a.ndjson')
      await Bun.write(path, asText(json([kalshiTrade(0, 'a')])))
      const thread = new ThreadReader()
      const ended: Reader = {
        read: async (options, offer) => {
          const end = thread.read(options, offer)
          await thread.close()
          return end
        },
      }
      const load = loadWith([ended], store.store, store.folder, [path])
      await expect(load).rejects.toThrow('has ended before its work')
      expect(await contents(store)).toEqual([])
    }))

  test('leaves whole captures when it is killed, and can be run again', () =>
    withStore(async (store) => {
      const day = syntheticDay({ date: '2026-07-20', kalshiRecords: 60_000, polymarketRecords: 1 })
      const lines = [...day.kalshiLines]
      const files = [file('a.ndjson', lines.slice(0, 20_000)), file('b.ndjson', lines.slice(20_000))]
      const paths = files.map(({ name }) => join(store.folder, name))
      for (const [index, path] of paths.entries()) await Bun.write(path, files[index]!.bytes)
      const child = Bun.spawn([process.execPath, '-e', LOADER, store.folder, ...paths], { stdout: 'pipe' })
      // The load has begun with the second capture.
      await child.stdout.getReader().read()
      child.kill('SIGKILL')
      await child.exited
      const left = await contents(store)
      const whole = await Promise.all([[], files.slice(0, 1), files].map(alone))
      expect(whole.map((state) => state.contents)).toContainEqual(left)
      const again = await loadWith(started.at(-1)!, store.store, store.folder, paths)
      expect(again.map(({ error }) => error)).toEqual([null, null])
      const records = (state: unknown[]) =>
        (state as { head: { recordCount: number } }[]).reduce((sum, { head }) => sum + head.recordCount, 0)
      expect(records(await contents(store))).toBe(records(whole[2]!.contents))
      expect(existsSync(join(store.folder, 'rejects'))).toBe(false)
    }))
})

const LOADER = `
  import { openStore } from '${import.meta.dir}/../../storage/open-store.ts'
  import { loadWith } from '${import.meta.dir}/load-capture.ts'
  import { startThreads } from '${import.meta.dir}/load-captures.ts'
  const [folder, ...paths] = process.argv.slice(1)
  const store = openStore(folder)
  let last = 0
  const onProgress = ({ records }) => {
    if (records > 25_000 && last === 0) process.stdout.write('second')
    if (records > 25_000) last = records
  }
  await loadWith(startThreads(2), store, folder, paths, { onProgress })
  await store.close()
`

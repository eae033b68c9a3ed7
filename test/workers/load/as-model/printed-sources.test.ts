// A printed record is loaded into the archive that it names. The records of one archive do not affect how those of
// another archive, or the user's own, are loaded.

import { describe, expect, test } from 'bun:test'
import { closeSync } from 'node:fs'
import { decodeBlock } from '../../../../storage/format/block.ts'
import { archivesOf, headOfSource, sourcesOf } from '../../../../storage/format/head-layers.ts'
import { loadBlock } from '../../../../workers/block/block-builder.ts'
import { decodeWholeBlock } from '../../../../workers/block/decoded-block.ts'
import { ByteWriter } from '../../../../workers/bytes/byte-writer.ts'
import { commitPartitions } from '../../../../workers/dates/commit-partitions.ts'
import { LiveSegment } from '../../../../workers/live-load/live-segment.ts'
import { readCapture } from '../../../../workers/load/read-capture.ts'
import type { CollectedPartition } from '../../../../workers/partition/collected-partition.ts'
import { Random } from '../../../../workers/synthetic/random.ts'
import { RecordWriter } from '../../../../workers/table/record-writer.ts'
import { printBookTimes } from '../../../../workers/venues/printed/printed-book-times.ts'
import { printHole } from '../../../../workers/venues/printed/printed-hole.ts'
import { DAY, kalshiDelta, kalshiSnapshot, kalshiTrade, NOON, NOW, TICKER } from '../../../model/lines.ts'
import { loadTexts } from '../../../model/model.ts'
import { seeds } from '../../../run/effort.ts'
import { collectLines } from '../../../support/collected.ts'
import { type TestStore, withStore } from '../../../support/store.ts'
import { CONDITION, RandomCapture, TICKERS } from '../random-capture.ts'

const SOURCES = ['pmxt-v2', 'a', undefined]
const NAMED = /,"source":"([^"]*)"/
const MARKETS = [...TICKERS.map((ticker) => ['kalshi', ticker] as const), ['polymarket', CONDITION] as const]

const sourceIn = (record: string) => NAMED.exec(record)?.[1]
const bySource = (records: string[]) =>
  new Map(SOURCES.map((name) => [name, records.filter((r) => sourceIn(r) === name)]))

/** Returns all records of each market as `export` prints them. */
const printedIn = async (store: TestStore): Promise<string[][]> =>
  Promise.all(MARKETS.map(([venue, market]) => store.printed(venue, market)))

/** Returns the partitions that a capture gives, with their records printed. */
const collected = (lines: string[]) =>
  collectLines(lines)
    .map(({ blocks, ...partition }) => ({
      ...partition,
      records: blocks.flatMap((block) => recordsOf(partition, block)),
    }))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))

function recordsOf({ key }: Pick<CollectedPartition, 'key'>, block: CollectedPartition['blocks'][number]): string[] {
  const decoded = decodeWholeBlock(decodeBlock(loadBlock(block)))
  const records = new RecordWriter(key.venue, key.market, decoded)
  const writer = new ByteWriter(4_096)
  return Array.from({ length: decoded.recordCount }, (_, record) => {
    writer.length = 0
    records.write(writer, record)
    return new TextDecoder().decode(writer.bytes.subarray(0, writer.length))
  })
}

const nameOf = ({ key, source }: Pick<CollectedPartition, 'key' | 'source'>) => JSON.stringify([key, source])

/** Mixes the lines of several captures into one capture; the lines of each keep their order. */
function mixed(random: Random, captures: string[][]): string[] {
  const left = captures.map((lines) => [...lines])
  const lines: string[] = []
  while (left.some((each) => each.length > 0)) {
    const next = random.pick(left.filter((each) => each.length > 0))
    lines.push(...next.splice(0, random.between(1, 5)))
  }
  return lines
}

/** Returns printed records of two random archives, and random lines of the user's own. */
async function captures(seed: number): Promise<string[][]> {
  const printed: string[][] = []
  for (const [i, source] of ['pmxt-v2', 'a'].entries()) {
    await withStore(async (store) => {
      await store.loadLines('archive', new RandomCapture(10 * seed + i, i === 0).lines(150), source)
      printed.push((await printedIn(store)).flat())
    })
  }
  return [...printed, new RandomCapture(10 * seed + 2, true).lines(150)]
}

test.each(seeds(1, 6, 40))('each source gives the same partitions as alone, seed %d', async (seed) => {
  const all = await captures(seed)
  const lines = mixed(new Random(seed, 'mixed'), all)
  const alone = all.flatMap(collected)
  expect(new Set(alone.map(({ source }) => source))).toEqual(new Set(SOURCES))
  for (const { source, records } of alone) for (const record of records) expect(sourceIn(record)).toBe(source)
  expect(collected(lines)).toEqual(alone.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
})

test.each(seeds(1, 6, 40))('two archives and own records load again from an export, seed %d', async (seed) => {
  const all = await captures(seed)
  await withStore(async (store) => {
    for (const [i, source] of SOURCES.entries()) {
      const lines = i === 2 ? all[i]! : new RandomCapture(10 * seed + i, i === 0).lines(150)
      expect(await store.loadLines(`${i}`, lines, source)).toMatchObject({ rejected: 0, error: null })
    }
    const exported = await printedIn(store)
    const again = await store.loadLines('again', exported.flat())
    expect(again).toMatchObject({ rejected: 0, recordsAdded: 0, partitionsChanged: 0 })
    for (const load of [loadAtOnce, loadByMarket, loadLive]) {
      await withStore(async (copy) => {
        await load(copy, exported.flat())
        const twice = await printedIn(copy)
        expect(twice.map(bySource)).toEqual(exported.map(bySource))
      })
    }
  })
})

const loadAtOnce = (store: TestStore, lines: string[]) => store.loadLines('copy', lines)

/** Loads with room for one market at a time: the lines of other markets wait in a file. */
async function loadByMarket(store: TestStore, lines: string[]): Promise<void> {
  const path = `${store.folder}/copy.ndjson`
  await Bun.write(path, lines.join('\n'))
  const options = { folder: store.folder, path, loadingMs: Date.now(), threads: 1, marketsAtOnce: 1 }
  const end = await readCapture({ ...options, onProgress: () => {} }, async ({ partitions, files }) => {
    for (const partition of partitions) {
      const records = partition.blocks.flatMap((block) => recordsOf(partition, block))
      expect([...new Set(records.map(sourceIn))]).toEqual([partition.source])
    }
    await commitPartitions(store.store, partitions)
    for (const file of files) closeSync(file)
    store.store.refresh()
  })
  expect(end).toMatchObject({ rejected: 0, error: null })
}

async function loadLive(store: TestStore, lines: string[]): Promise<void> {
  const segment = new LiveSegment(store.folder, 'live')
  for (let from = 0; from < lines.length; from += 100) {
    segment.feed(new TextEncoder().encode(`${lines.slice(from, from + 100).join('\n')}\n`), Date.now())
    const { partitions, file } = segment.collect(Date.now(), from + 100 < lines.length ? 'unknown' : 'none')
    store.store.refresh()
    await commitPartitions(store.store, partitions)
    for (const partition of partitions) expect(segment.continueFrom(partition)).toBe(true)
    if (file !== undefined) closeSync(file)
  }
  segment.close()
  store.store.refresh()
}

describe('in one capture with records of an archive', () => {
  const printed = (ms: number, source: string | undefined, event: { msg: object } = kalshiDelta(ms, '0.5', '1')) =>
    JSON.stringify({
      ...{ type: 'delta', timestamp: NOON + ms, received_at: null, ticker: TICKER, sid: 1, seq: 7 },
      ...{ ...(source !== undefined && { source }), msg: event.msg },
    })
  const own = (event: object) => JSON.stringify(event)
  const timesIn = (records: { timestamp: number; source?: string }[], source: string | undefined) =>
    records.filter((record) => record.source === source).map(({ timestamp }) => timestamp - NOON)
  /** Returns the event times of the records of a source, after a check that the model has the same. */
  const timesOf = (lines: string[], source: string | undefined) => {
    const times = timesIn(
      collected(lines).flatMap(({ records }) => records.map((each) => JSON.parse(each))),
      source,
    )
    const model = loadTexts([lines.join('\n')], NOW)
    expect(times).toEqual(timesIn(model.records('kalshi', TICKER, DAY), source))
    return times
  }

  test('an own message without a time waits for the next own one', () => {
    const lines = [own(kalshiSnapshot([['0.4', '1']])), printed(5, 'a'), own(kalshiDelta(100, '0.5', '1'))]
    expect(timesOf(lines, undefined)).toEqual([100, 100])
    expect(timesOf(lines, 'a')).toEqual([5])
  })

  test('own records get their times from own records alone', () => {
    const lines = [own(kalshiDelta(50, '0.5', '1')), printed(80, 'a'), own(kalshiDelta(60, '0.5', '2'))]
    expect(timesOf(lines, undefined)).toEqual([50, 60])
  })

  test('an own trade and the same trade of an archive are two records', () => {
    const { msg, ...head } = kalshiTrade(1, 't')
    const trade = { ...head, msg: { ...msg, yes_price_dollars: '0.5', count_fp: '1', taker_side: 'yes' } }
    const ofArchive = JSON.stringify({ ...JSON.parse(printed(1, 'a', trade)), type: 'trade' })
    expect(collected([own(trade), ofArchive]).map(({ mayRepeat }) => mayRepeat)).toEqual([false, false])
    expect(collected([own(trade), own(trade)]).map(({ mayRepeat }) => mayRepeat)).toEqual([true])
  })

  test('book times and holes in numbers stay with their source', () =>
    withStore(async (store) => {
      const times = { snapshotsMs: [NOON], goesOnMs: null, gapsMs: [] }
      const bookTimesOf = (lastMs: number) => ({ book: TICKER, ...times, lastChangeMs: NOON + lastMs })
      const bookTimesLine = (lastMs: number, source?: string) =>
        printBookTimes({ market: TICKER, date: DAY, source, heard: bookTimesOf(lastMs) }).trim()
      const hole = (ms: number, source?: string) =>
        printHole({ market: TICKER, source, hole: { fromMs: NOON + ms } }).trim()
      const evidenceLines = [bookTimesLine(7), bookTimesLine(8, 'a'), bookTimesLine(9, 'b'), hole(1), hole(2, 'a')]
      const lines = [printed(1, undefined), printed(2, 'a'), ...evidenceLines]
      expect(await store.loadLines('lines', [...lines, hole(3, 'b')])).toMatchObject({ rejected: 0 })
      const { head } = (await store.store.catalogue.heads('kalshi', TICKER))[0]!
      expect(sourcesOf(head)).toEqual([null, 'a'])
      const [ofOwn, ofArchive] = [null, 'a'].map((source) => headOfSource(head, source)!)
      expect([ofOwn!.heard, ofArchive!.heard]).toEqual([[bookTimesOf(7)], [bookTimesOf(8)]])
      expect(ofOwn!.sequenceHoles).toEqual([{ fromMs: NOON + 1 }])
      expect(ofArchive!.sequenceHoles).toEqual([{ fromMs: NOON + 2 }])
      expect(archivesOf(head)).toEqual([{ source: 'a', records: 1 }])
    }))

  test('lines that differ only in their source belong to the source that each names', () => {
    const names = ['a', 'b', undefined, 'a', 'b', undefined]
    const lines = names.map((source, i) => printed(i, source))
    for (const source of ['a', 'b', undefined]) {
      expect(timesOf(lines, source)).toEqual(names.flatMap((name, i) => (name === source ? [i] : [])))
    }
  })

  const OTHER = 'the line is of the source "b", and the capture is loaded as of "a"'
  const NO_SOURCE = 'source must be up to 64 lower case letters, digits, points or dashes, not "own", got'
  const withSource = (source: unknown) => JSON.stringify({ ...JSON.parse(printed(1, 'a')), source })
  const bookTimesOf = (source: unknown) =>
    JSON.stringify({
      ...{ backbook: 'heard', market: TICKER, date: DAY, source, book: TICKER },
      ...{ snapshots: [], goes_on: null, gaps: [], last_change: null },
    })
  test.each([
    ['a record of another archive', withSource('b'), 'a', OTHER],
    ['book times of another archive', bookTimesOf('b'), 'a', OTHER],
    ['a record of no archive', withSource('PMXT v2'), undefined, `${NO_SOURCE} "PMXT v2"`],
    ['a record of a number', withSource(7), undefined, `${NO_SOURCE} "7"`],
    ['book times of no archive', bookTimesOf('A'), undefined, `${NO_SOURCE} "A"`],
  ])('%s is rejected', async (_, line, source, reason) => {
    await withStore(async (store) => {
      // Loads the line between valid lines of the same form.
      const report = await store.loadLines('lines', [printed(1, source), line, printed(2, source)], source)
      expect(report).toMatchObject({ rejected: 1, recordsAdded: 2 })
      expect(report.rejects).toEqual([{ file: expect.any(String), line: 2, reason }])
    })
  })

  test.each([
    ['the archive that the capture is loaded as of', 'a', 'a', 'a'],
    ['nothing, in a capture of an archive', undefined, 'a', 'a'],
    ['null, as a table says nothing', null, undefined, undefined],
  ])('a record may name %s', (_, named, source, expected) => {
    const [partition] = collectLines([withSource(named)], undefined, source)
    expect(partition).toMatchObject({ recordCount: 1 })
    expect(partition!.source).toBe(expected)
  })
})

test('a source inside a message is stored as it is', () => {
  const says = (source: string) => {
    const { type, msg } = kalshiDelta(1, '0.5', '1')
    return JSON.stringify({ type, sid: 1, seq: 7, msg: { ...msg, source } })
  }
  const [partition] = collected([says('rest'), says('b')])
  expect(partition).not.toContainKey('source')
  expect(partition!.records.map((record) => JSON.parse(record).msg.source)).toEqual(['rest', 'b'])
})

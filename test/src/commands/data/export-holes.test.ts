// Goal: if sequence numbers of a subscription skip and no record reports the loss, the export of a market contains
// the hole as well as the records.

import { expect, test } from 'bun:test'
import { runWritingTo } from '../../../support/programs/program.ts'
import { TestStore } from '../../../support/store.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const MARKETS = ['KXHOLE-1', 'KXHOLE-2']

/** Changes of both markets in turn, one second apart. The sequence numbers skip one before the 151st change. */
const LINES = Array.from({ length: 300 }, (_, i) => {
  const [ms, seq] = [NOON + 1_000 * i, i < 150 ? i + 1 : i + 2]
  const book = { market_ticker: MARKETS[i % 2], yes_dollars_fp: [['0.1000', '10.00']] }
  const time = { ts: new Date(ms).toISOString(), ts_ms: ms }
  const change = { market_ticker: MARKETS[i % 2], price_dollars: '0.1000', delta_fp: '1.00', side: 'yes', ...time }
  const message = i < 2 ? { type: 'orderbook_snapshot', msg: book } : { type: 'orderbook_delta', msg: change }
  return JSON.stringify({ recv_ms: ms, event: { ...message, sid: 1, seq } })
})

async function exported(store: TestStore, market: string, words: string[] = []): Promise<string[]> {
  const command = ['export', '--venue', 'kalshi', '--market', market, '--data', store.folder, ...words]
  const { out, exitCode } = await runWritingTo(store.folder, command)
  expect(exitCode).toBe(0)
  return out.trimEnd().split('\n')
}

const headOf = async ({ store }: TestStore, market: string) => (await store.catalogue.heads('kalshi', market))[0]!.head

test('export prints a hole after the records, and the export loads again', async () => {
  const [store, copy] = [new TestStore(), new TestStore()]
  await store.loadLines('capture', LINES)
  for (const [i, market] of MARKETS.entries()) {
    const lines = await exported(store, market)
    expect(lines.length).toBe(151)
    expect(JSON.parse(lines.at(-1)!)).toEqual({ backbook: 'sequence_hole', market, from: NOON + 148_000 + 1_000 * i })
    expect(await store.loadLines(`own-${i}`, lines)).toMatchObject({ partitionsChanged: 0, rejected: 0 })
    expect(await copy.loadLines(`copy-${i}`, lines)).toMatchObject({ recordsAdded: 150, rejected: 0 })
    const [had, has] = [await headOf(store, market), await headOf(copy, market)]
    expect(had.inferredGaps.map(({ reason }) => reason)).toEqual(['sequence_hole'])
    expect([has.sequenceHoles, has.inferredGaps]).toEqual([had.sequenceHoles, had.inferredGaps])
  }
  for (const each of [store, copy]) await each.close()
})

test('export of a window without the hole does not print it', async () => {
  const store = new TestStore()
  await store.loadLines('capture', LINES)
  const window = ['--start', String(NOON), '--end', String(NOON + 100_000)]
  expect((await exported(store, MARKETS[0]!, window)).filter((line) => line.includes('backbook'))).toEqual([])
  await store.close()
})

test('export of a day on which the recorder reconnected names the recorder, and loads unchanged', async () => {
  const [store, copy, single] = [new TestStore(), new TestStore(), new TestStore()]
  // In a segment of the recorder, the numbers restart with the second half.
  const header = JSON.stringify({ backbook: 'segment', recorder: 'one' })
  const renumbered = LINES.map((line, i) => (i < 152 ? line : line.replace(/"seq":\d+/, `"seq":${i - 151}`)))
  await store.loadLines('segment', [header, ...renumbered])
  await single.loadLines('segment', [header, ...LINES])
  const lines = await exported(store, MARKETS[0]!)
  expect(lines.filter((line) => line.includes('backbook')).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ backbook: 'heard', market: MARKETS[0], recorder: 'one', book: MARKETS[0] }),
  ])
  expect(await copy.loadLines('copy', lines)).toMatchObject({ recordsAdded: 150, rejected: 0 })
  const [had, has] = [await headOf(store, MARKETS[0]!), await headOf(copy, MARKETS[0]!)]
  expect([has.inferredGaps, has.heard, has.books]).toEqual([[], had.heard, had.books])
  expect(await store.loadLines('again', lines)).toMatchObject({ partitionsChanged: 0 })
  // Without this line, the numbers indicate a loss.
  const plain = new TestStore()
  await plain.loadLines('plain', lines.slice(0, -1))
  expect((await headOf(plain, MARKETS[0]!)).inferredGaps.map(({ reason }) => reason)).toEqual(['sequence_restart'])
  expect((await exported(single, MARKETS[0]!)).filter((line) => line.includes('"heard"'))).toEqual([])
  for (const each of [store, copy, single, plain]) await each.close()
})

test('export of two captures, where one continues the other, loads unchanged', async () => {
  const [store, copy] = [new TestStore(), new TestStore()]
  // The second capture begins before the first ends, and has its own numbers.
  const ofOne = LINES.filter((line) => line.includes(MARKETS[0]!))
  const snapshot = ofOne[0]!.replaceAll('10.00', '60.00').replace(/"recv_ms":\d+/, `"recv_ms":${NOON + 99_500}`)
  const second = [snapshot, ...ofOne.slice(50)].map((line, i) => line.replace(/"seq":\d+/, `"seq":${i + 1}`))
  await store.loadLines('first', ofOne.slice(0, 100))
  await store.loadLines('second', second)
  const lines = await exported(store, MARKETS[0]!)
  expect(lines.filter((line) => line.includes('"heard"')).length).toBe(2)
  await copy.loadLines('copy', lines)
  const [had, has] = [await headOf(store, MARKETS[0]!), await headOf(copy, MARKETS[0]!)]
  expect(had.inferredGaps).toEqual([])
  expect([has.inferredGaps, has.heard, has.books]).toEqual([[], had.heard, had.books])
  expect(await store.loadLines('again', lines)).toMatchObject({ partitionsChanged: 0 })
  for (const each of [store, copy]) await each.close()
})

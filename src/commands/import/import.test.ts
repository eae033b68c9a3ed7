// Goal: `import` reports what happened to each file, even if a later one is refused, and refuses a file of another
// format.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY, kalshiDelta, kalshiSnapshot, TICKER } from '../../../test/model/lines.ts'
import { runBackbook } from '../../../test/support/programs/program.ts'
import { TestStore } from '../../../test/support/store.ts'

let store: TestStore
beforeEach(() => {
  store = new TestStore()
})
afterEach(() => store.close())

/** The snapshot has no time of its own: it takes the time of the change after it. */
const FRAMES = [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]), kalshiDelta(1_000, '0.4100', '1.00')]

async function fileOf(name: string, lines: readonly string[]): Promise<string> {
  const path = join(store.folder, name)
  await Bun.write(path, lines.map((line) => `${line}\n`).join(''))
  return path
}
const frames = () =>
  fileOf(
    'frames.ndjson',
    FRAMES.map((frame) => JSON.stringify(frame)),
  )
const run = (format: string, ...words: string[]) =>
  runBackbook(['import', format, '--data', store.folder, '--accept-unlicensed', ...words])
const loads = async () => (await store.store.catalogue.loads()).map(({ file, records }) => [file, records])

test('if the second of two files is cut off, the first is loaded and reported', async () => {
  const first = await frames()
  const second = join(store.folder, 'cut.ndjson.gz')
  await Bun.write(second, Bun.gzipSync('{"type":"ticker"}\n'.repeat(100)).subarray(0, 20))
  const { out, err, exitCode } = await run('raw-frames', first, second)
  expect(exitCode).toBe(1)
  expect(out).toMatch(/^.*: 2 rows: 2 records\n {2}2 records are new, in .* s\nsource raw-frames, no licence stated\n$/)
  expect(out).toStartWith(`${first}: `)
  expect(err).toContain(`${second} is damaged or cut off`)
  store.store.refresh()
  expect(await store.dates('kalshi', TICKER)).toEqual([DAY])
  expect(await loads()).toEqual([[first, 2]])
})

test('rejected rows are reported with the file name that was given', async () => {
  const path = await fileOf('frames.ndjson', [...FRAMES.map((frame) => JSON.stringify(frame)), 'none'])
  const { out, exitCode } = await run('raw-frames', path)
  expect(exitCode).toBe(0)
  expect(out).toContain(`1 row could not be understood:\n  ${path}, row 3: the line is not JSON`)
})

test('reports what happened to all rows, in numbers that add up', async () => {
  const frames = FRAMES.map((frame) => JSON.stringify(frame))
  const other = JSON.stringify(kalshiDelta(1_000, '0.4100', '1.00')).replaceAll(TICKER, `${TICKER}X`)
  const path = await fileOf('frames.ndjson', ['PING', ...frames, '{"type":"ok"}', `[${frames[1]},${other}]`, 'none'])
  const { out } = await run('raw-frames', path, '--market', TICKER)
  const summary = '7 messages in 6 rows: 3 records, 2 control frames, 1 message of other markets, 1 not understood'
  expect(out).toStartWith(`${path}: ${summary}\n`)
  const { out: json } = await run('raw-frames', path, '--market', TICKER, '--again', '--json')
  const [report] = JSON.parse(json).files
  expect(report).toMatchObject({
    rows: 6,
    used: 3,
    rejected: 1,
    messages: 3,
    records: 3,
    records_added: 0,
  })
  expect(report.skipped).toEqual({ 'messages of other markets': 1, ping: 1, ok: 1 })
  const { out: check } = await run('raw-frames', path, '--market', TICKER, '--check')
  expect(check).toStartWith(`${path}: ${summary.replace('records', 'messages')}\n`)
})

test('an import, a check and ingest all report the notes on records', async () => {
  const [snapshot, delta] = FRAMES
  const own = { ...delta, msg: { ...(delta as { msg: object }).msg, client_order_id: 'mine' } }
  const path = await fileOf(
    'frames.ndjson',
    [snapshot, own].map((line) => JSON.stringify(line)),
  )
  const note = '1 message with private fields left out'
  const notes = { 'with private fields left out': 1 }
  expect((await run('raw-frames', path)).out).toContain(`\n  ${note}\n`)
  const { out } = await run('raw-frames', path, '--again', '--json')
  expect(JSON.parse(out).files[0].notes).toEqual(notes)
  expect((await run('raw-frames', path, '--check')).out).toContain(`\n  ${note}\n`)
  expect(JSON.parse((await run('raw-frames', path, '--check', '--json')).out).notes).toEqual(notes)
  const { out: ingested } = await runBackbook(['ingest', '--data', store.folder, path])
  expect(ingested).toContain(`\n${path}: ${note}\n`)
})

test("files of Tardis' form have no source, unless it is given", async () => {
  const rows = ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount']
  rows.push('polymarket,17,1786363200000000,1786363200000000,a,buy,0.5,3')
  const path = await fileOf('trades.csv', rows)
  const market = ['--market', `0x${'ab'.repeat(32)}`]
  const { out } = await run('tardis-trades', path, ...market)
  expect(out).toEndWith('\nsource tardis, no licence stated\n')
  const again = await run('tardis-trades', path, ...market, '--again', '--attribution', 'Tardis.dev')
  expect(again.out).toEndWith('\nsource tardis, no licence stated, by Tardis.dev\n')
})

test('a file of another format is refused, and is not loaded', async () => {
  const csv = await fileOf('trades.csv', ['trade_id,ticker,count', 'a,KXA,5'])
  const { out, err, exitCode } = await run('raw-frames', csv)
  expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 })
  expect(err).toContain(`${csv} has no row of raw-frames: in row 1, the line is not JSON`)
  store.store.refresh()
  expect(await loads()).toEqual([])
})

test('an empty licence counts as no licence', async () => {
  const words = ['import', 'raw-frames', '--data', store.folder, await frames(), '--licence', '']
  const { err, exitCode } = await runBackbook(words)
  expect(exitCode).toBe(2)
  expect(err).toContain('the publisher of raw-frames states no licence')
})

test('reports a market without rows in the file, and stores nothing', async () => {
  const path = await frames()
  const { out, err, exitCode } = await run('raw-frames', path, '--market', 'KXNONE')
  expect(exitCode).toBe(1)
  expect(out).toContain('  no rows of the market KXNONE\n')
  expect(err).toContain('the file has no row of KXNONE')
  store.store.refresh()
  expect(await loads()).toEqual([])
  const check = await run('raw-frames', path, '--market', 'KXNONE', TICKER, '--check', '--json')
  expect(check.exitCode).toBe(1)
  expect(JSON.parse(check.out)).toMatchObject({ absent: ['KXNONE'] })
  expect(check.err).toContain('the file has no row of KXNONE')
})

test('one of several files with the market is enough, and the others are not stored', async () => {
  const empty = await fileOf('other.ndjson', [JSON.stringify({ ...FRAMES[1], msg: { ...FRAMES[1]!.msg, x: 1 } })])
  await Bun.write(empty, (await Bun.file(empty).text()).replaceAll(TICKER, 'KXOTHER'))
  const path = await frames()
  const { out, exitCode } = await run('raw-frames', empty, path, '--market', TICKER, '--json')
  expect(exitCode).toBe(0)
  expect((JSON.parse(out) as { files: { absent: string[] }[] }).files.map(({ absent }) => absent)).toEqual([
    [TICKER],
    [],
  ])
  store.store.refresh()
  expect(await loads()).toEqual([[path, 2]])
  // An import does not check again what was loaded before.
  expect(await run('raw-frames', empty, path, '--market', TICKER)).toMatchObject({ exitCode: 0 })
})

// The folder of an export has complete files of one version of each day, whatever happens during the write: a second
// run, a change of the day, a kill.

import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { book, CONDITION, kalshiDelta, kalshiSnapshot } from '../../test/model/lines.ts'
import { ASSETS, commandStore, DAY, DAY_AFTER, TICKER } from '../../test/support/command-store.ts'
import { exportMarket } from '../../test/support/export/export-days.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { withStore } from '../../test/support/store.ts'
import { ExportFolder } from './export-folder.ts'

const KALSHI = { venue: 'kalshi', market: TICKER } as const
const DAY_MS = 86_400_000

/** Returns the files that other programs see, with their bytes. */
function filesIn(folder: string): Map<string, string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : []
  const files = names.filter((name) => !name.startsWith('.backbook') && statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, Bun.hash(readFileSync(join(folder, name))).toString(36)]))
}

const inodes = (folder: string) => [...filesIn(folder).keys()].map((name) => statSync(join(folder, name)).ino)

const lines = (...messages: object[]) => messages.map((message) => JSON.stringify(message))
const twoDays = lines(
  kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']]),
  kalshiDelta(0, '0.2000', '1.50'),
  kalshiDelta(5_000, '0.2100', '1.00'),
  kalshiDelta(DAY_MS, '0.2000', '2.00'),
)

test('a second run writes nothing, a changed day is written again and its old files are gone', async () => {
  await withStore(async (tested) => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'catalog')
    const run = () => exportMarket(tested, { target: 'nautilus', ...KALSHI, folder: path })
    await tested.loadLines('first', twoDays)
    expect(await run()).toMatchObject({ days: 2, unchangedDays: 0, files: 5 })
    const [files, before] = [filesIn(path), inodes(path)]
    expect(await run()).toMatchObject({ days: 2, unchangedDays: 2, files: 5 })
    expect([filesIn(path), inodes(path)]).toEqual([files, before])

    // The second load adds records at the end of the day. The file names contain the last time, so they change.
    await tested.loadLines('second', lines(kalshiDelta(9_000, '0.2000', '4.00'), kalshiDelta(9_500, '0.2000', '4.00')))
    expect(await run()).toMatchObject({ days: 2, files: 5 })
    const deltas = [...filesIn(path).keys()].filter((name) => name.startsWith('data/order_book_deltas'))
    expect(deltas.map((name) => name.split('/').at(-1)!.slice(0, 10))).toEqual([DAY, DAY_AFTER])
    expect(deltas[0]).toEndWith(`_${DAY}T12-00-09-500000000Z.parquet`)

    const fresh = join(folder.path, 'fresh')
    await exportMarket(tested, { target: 'nautilus', ...KALSHI, folder: fresh })
    expect(filesIn(fresh)).toEqual(filesIn(path))
  })
})

test('a missing or truncated file is written again', async () => {
  await withStore(async (tested) => {
    using folder = temporaryFolder()
    const run = () => exportMarket(tested, { target: 'hftbacktest', ...KALSHI, folder: `${folder.path}/a` })
    await tested.loadLines('first', twoDays)
    await run()
    const files = filesIn(`${folder.path}/a`)
    const [name] = [...files.keys()].filter((each) => each.endsWith('.npz'))
    writeFileSync(join(`${folder.path}/a`, name!), 'cut')
    expect(await run()).toMatchObject({ days: 2, unchangedDays: 1 })
    expect(filesIn(`${folder.path}/a`)).toEqual(files)
    rmSync(join(`${folder.path}/a`, name!))
    expect(await run()).toMatchObject({ days: 2, unchangedDays: 1 })
    expect(filesIn(`${folder.path}/a`)).toEqual(files)
  })
})

test('an existing empty folder is accepted', () => {
  using folder = temporaryFolder()
  expect(new ExportFolder(folder.path).record('t/day')).toBeUndefined()
  expect(readdirSync(folder.path)).toEqual(['.backbook'])
})

test('one token after the other: the first one stays, and follows its day', async () => {
  await withStore(async (tested) => {
    using folder = temporaryFolder()
    const path = `${folder.path}/a`
    const of = { target: 'hftbacktest', venue: 'polymarket', market: CONDITION, folder: path } as const
    const load = (ms: number) =>
      tested.loadLines(`at ${ms}`, lines(...ASSETS.map((asset) => book(ms, [['0.40', '10']], [['0.45', '20']], asset))))
    await load(0)
    const [one, other] = ASSETS
    const inFolder = () => [...filesIn(path).keys()].filter((name) => name.endsWith('.npz'))
    await exportMarket(tested, { ...of, assetId: one })
    expect(inFolder()).toEqual([`polymarket/${one}_20260810.npz`])
    expect(await exportMarket(tested, { ...of, assetId: other })).toMatchObject({ unchangedDays: 0 })
    expect(inFolder()).toEqual(ASSETS.map((asset) => `polymarket/${asset}_20260810.npz`))
    const both = filesIn(path)
    expect(await exportMarket(tested, { ...of, assetId: one })).toMatchObject({ unchangedDays: 1 })
    expect(await exportMarket(tested, of)).toMatchObject({ unchangedDays: 1 })

    await load(5_000)
    await exportMarket(tested, { ...of, assetId: one })
    expect([...filesIn(path).keys()]).toEqual([...both.keys()])
    for (const [name, bytes] of filesIn(path)) expect([name, both.get(name) === bytes]).toEqual([name, false])
  })
})

test('distinguishes two stores with equal counts and different records', async () => {
  using folder = temporaryFolder()
  const path = `${folder.path}/a`
  for (const size of ['1.00', '2.00']) {
    await withStore(async (tested) => {
      await tested.loadLines('first', lines(kalshiSnapshot([['0.2000', size]]), kalshiDelta(1, '0.2000', '1.00')))
      expect(await exportMarket(tested, { target: 'hftbacktest', ...KALSHI, folder: path })).toMatchObject({
        ...{ days: 1, unchangedDays: 0 },
      })
    })
  }
})

test('a folder with other files, or of an export with other options, is refused and unchanged', async () => {
  await withStore(async (tested) => {
    await tested.loadLines('first', twoDays)
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'mine.txt'), 'mine')
    const run = (path: string, precision: string) =>
      exportMarket(tested, { target: 'nautilus', ...KALSHI, folder: path, options: { precision } })
    await expect(run(folder.path, '128')).rejects.toThrow('has files that no export wrote: name a new or empty folder')
    await expect(run(join(folder.path, 'mine.txt'), '128')).rejects.toThrow('mine.txt is not a folder')
    expect(readdirSync(folder.path)).toEqual(['mine.txt'])
    const path = join(folder.path, 'new')
    await run(path, '64')
    const files = filesIn(path)
    await expect(run(path, '128')).rejects.toThrow('was written with --precision 64: use that, or name another folder')
    expect(filesIn(path)).toEqual(files)
  })
})

test('removes the files of an interrupted run', async () => {
  await withStore(async (tested) => {
    await tested.loadLines('first', twoDays)
    using folder = temporaryFolder()
    const path = join(folder.path, 'a')
    const run = () => exportMarket(tested, { target: 'nautilus', ...KALSHI, folder: path })
    await run()
    const files = filesIn(path)
    // The state after a killed run. It had recorded that it replaces the first day, and had moved one of its two new
    // files to the data; the file is of another version of the day.
    const name = join(path, '.backbook/kept/nautilus/kalshi', TICKER, `${DAY}.json`)
    const record = JSON.parse(readFileSync(name, 'utf8'))
    const [real] = record.files
    const strange = real.path.replace(/[^/]*$/, 'of-another-version.parquet')
    cpSync(join(path, real.path), join(path, strange))
    const after = [...record.files, { ...real, path: strange }]
    writeFileSync(name, JSON.stringify({ ...record, made: '', files: after }))
    mkdirSync(join(path, '.backbook/new'), { recursive: true })
    writeFileSync(join(path, '.backbook/new/4194305-0'), 'half a file')
    await run()
    expect(filesIn(path)).toEqual(files)
    expect(readdirSync(join(path, '.backbook/new'))).toEqual([])
  })
})

test('leaves the files that another process is writing', () => {
  using folder = temporaryFolder()
  const other = Bun.spawn([process.execPath, '-e', 'await Bun.stdin.text()'], { stdin: 'pipe' })
  try {
    const places = [other.pid, process.pid].map((id) => `${folder.path}/.backbook/new/${id}-0`)
    mkdirSync(join(folder.path, '.backbook/new'), { recursive: true })
    for (const place of places) writeFileSync(place, 'half a file')
    new ExportFolder(folder.path)
    expect(places.map((place) => existsSync(place))).toEqual([true, false])
  } finally {
    other.kill()
  }
})

test.each(['', '{"made":', 'null', '[]'])('a damaged record of a day is an error: %j', async (text) => {
  await withStore(async (tested) => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'a')
    const run = () => exportMarket(tested, { target: 'hftbacktest', ...KALSHI, folder: path })
    await tested.loadLines('first', twoDays)
    await run()
    const files = filesIn(path)
    const name = join(path, '.backbook/kept/hftbacktest/kalshi', TICKER, `${DAY}.json`)
    writeFileSync(name, text)
    await expect(run()).rejects.toThrow(`${name} is damaged: name another folder, or remove ${path} and run it again`)
    expect(filesIn(path)).toEqual(files)
  })
})

test('a failed day leaves no new files, and its old files stay', () => {
  using folder = temporaryFolder()
  const exported = new ExportFolder(`${folder.path}/a`)
  const keep = (text: string, made: string) => {
    const files = exported.begin()
    const file = files.begin()
    file.write(Buffer.from(text))
    file.finish('a/b.txt', 1)
    exported.keep('t/day', files, { made, figures: {}, notes: {} })
  }
  keep('one', 'first')
  const failed = exported.begin()
  failed.begin().write(Buffer.from('half'))
  failed.abort()
  expect(readdirSync(`${folder.path}/a/.backbook/new`)).toEqual([])
  expect(readFileSync(`${folder.path}/a/a/b.txt`, 'utf8')).toBe('one')
  expect(exported.record('t/day')?.made).toBe('first')
  keep('two', 'second')
  expect(readFileSync(`${folder.path}/a/a/b.txt`, 'utf8')).toBe('two')
})

test('a run that is killed leaves no half file, and the next one completes it', async () => {
  const tested = await commandStore()
  try {
    using folder = temporaryFolder()
    const [path, whole] = [`${folder.path}/killed`, `${folder.path}/whole`]
    const words = ['export', '--to', 'nautilus', '--venue', 'kalshi', '--market', TICKER, '-o', path]
    const main = join(import.meta.dir, '../main.ts')
    await exportMarket(tested, { target: 'nautilus', ...KALSHI, folder: whole })
    const complete = filesIn(whole)
    const child = Bun.spawn([process.execPath, main, ...words, '--data', tested.folder], { stderr: 'ignore' })
    // Kills the export at a random point, most often in the middle of the larger day.
    const hasBegun = () => existsSync(`${path}/.backbook/new`) && readdirSync(`${path}/.backbook/new`).length > 0
    while (!hasBegun() && child.exitCode === null) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    for (const [name, bytes] of filesIn(path)) expect([name, bytes]).toEqual([name, complete.get(name)!])
    await exportMarket(tested, { target: 'nautilus', ...KALSHI, folder: path })
    expect(filesIn(path)).toEqual(complete)
  } finally {
    await tested.close()
  }
}, 60_000)

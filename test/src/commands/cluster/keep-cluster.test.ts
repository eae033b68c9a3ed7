// long: it starts engines and nodes of its own
// Goal: compact, sweep and copy run on real engines as their users run them, and refuse what they must refuse.

import { describe, expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { kalshiDelta, kalshiSnapshot } from '../../../model/lines.ts'
import { ENGINES_SKIPPED, HAS_ENGINES, makeEngines } from '../../../support/cluster/engines.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'

const DAYS = 3

const lines = Array.from({ length: DAYS }, (_, day) => {
  const deltas = [0, 1, 2].map((i) => kalshiDelta(day * 86_400_000 + i * 1_000, `0.${4 + day}${i}00`, '2.00'))
  return [...(day === 0 ? [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])] : []), ...deltas]
})
  .flat()
  .map((line) => `${JSON.stringify(line)}\n`)

describe('without a cluster', () => {
  test.each([
    [['copy', '--from', 'none', '--to', 'two'], 2, 'there is no store in "none"'],
    [['copy', '--from', 's3://bucket/p', '--to', 'two'], 2, '--from: CATALOGUE_URL is not set, and STORE_URL is'],
    [['copy', '--from', 'one', '--to', 's3://B'], 2, '--to: STORE_URL must be s3://BUCKET/PREFIX'],
    [['copy', '--from', 'one', '--to', 'none.toml'], 2, '--to: cannot read none.toml'],
    [['copy', '--from', 'a', '--to', 'b', '--from-date', '2026-7-1'], 2, '--from-date must be a UTC date'],
    [
      ['copy', '--from', 'a', '--to', 'b', '--from-date', '2026-07-02', '--to-date', '2026-07-01'],
      2,
      'must not be after',
    ],
    [['copy', '--from', 'a', '--to', 'b', '--market', 'KX'], 2, '--market needs --venue'],
    [['copy', '--from', 'a', '--to', 'b', '--venue', 'polymarket', '--market', 'KX'], 2, '--market must be'],
    [['sweep', '--grace', '0.5'], 2, '--grace must be hours, from 1 to 8,760, got "0.5"'],
    [['sweep', '--grace', 'day'], 2, '--grace must be hours, from 1 to 8,760, got "day"'],
    [['compact', '--before', '2026-07-01'], 2, '--before is for a store of a cluster'],
  ])('%p', async (words, exitCode, message) => {
    using folder = temporaryFolder()
    const ended = await runBackbook(words, { cwd: folder.path })
    expect(ended).toMatchObject({ exitCode, out: '' })
    expect(ended.err).toContain(message)
  })

  test.each(['backup', 'restore'])('%s is for a store in a folder', async (command) => {
    const keys = { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }
    const env = { STORE_URL: 's3://bucket/p', CATALOGUE_URL: 'postgres://localhost/none', ...keys }
    const { exitCode, err } = await runBackbook([command, 'monday'], { env })
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`${command} works on a store in a data folder`)])
    expect(err).toContain('back that up with pg_dump and a copy of the bucket (docs/cluster.md)')
  })

  test('sweep says that there is nothing to sweep', async () => {
    using folder = temporaryFolder()
    const { exitCode, out } = await runBackbook(['sweep'], { cwd: folder.path })
    expect([exitCode, out]).toEqual([0, expect.stringContaining('has nothing to sweep')])
  })
})

test('copy between folders: equal days, different days, and one folder under two names', async () => {
  using folder = temporaryFolder()
  const run = (...words: string[]) => runBackbook(words, { cwd: folder.path })
  const copy = (...words: string[]) => run('copy', '--from', 'one', '--to', 'two', ...words)
  await Bun.write(join(folder.path, 'a.ndjson'), lines.join(''))
  await run('ingest', 'a.ndjson', '--data', 'one')
  expect((await copy('--from-date', '2026-08-12')).out).toMatch(LINE('1 day of 1 market: 1 copied', 0, 0))
  expect((await copy()).out).toMatch(LINE('3 days of 1 market: 2 copied', 1, 0))
  expect(await run('verify', '--data', 'two')).toMatchObject({ exitCode: 0 })
  const records = async (data: string) =>
    (await run('export', '--venue', 'kalshi', '--market', 'KXTEST-1', '--data', data)).out
  expect(await records('two')).toBe(await records('one'))
  const none = await copy('--from-date', '2026-09-01')
  expect([none.exitCode, none.err]).toEqual([3, expect.stringContaining('none of the requested days is stored')])
  // The folder has its own data for the day, which the copy does not replace.
  await Bun.write(join(folder.path, 'b.ndjson'), `${JSON.stringify(kalshiDelta(9_000, '0.9000', '1.00'))}\n`)
  await run('ingest', 'b.ndjson', '--data', 'two')
  const { exitCode, out, err } = await copy()
  expect([exitCode, err]).toEqual([1, expect.stringContaining('not everything could be copied')])
  expect(out).toContain(
    'left out: kalshi KXTEST-1 2026-08-10: the target has records of that day which the source lacks',
  )
  expect(out).toMatch(LINE('3 days of 1 market: 0 copied', 0, 3))
  symlinkSync(join(folder.path, 'one'), join(folder.path, 'same'))
  const same = await run('copy', '--from', 'one', '--to', 'same')
  expect([same.exitCode, same.err]).toEqual([2, expect.stringContaining('are the same store')])
}, 60_000)

const LINE = (begin: string, same: number, leftOut: number) =>
  new RegExp(`^${begin} \\(.* MB\\), ${same} the same, ${leftOut} left out, in [0-9.]+ s$`, 'm')

const suite = () => {
  test('copy in, compact, sweep, verify, copy to a folder and to another cluster', async () => {
    using folder = temporaryFolder()
    await using first = await makeEngines(folder.path)
    await using second = await makeEngines(folder.path)
    const env = first.variables
    const address = env['STORE_URL']!
    const report = async (...words: string[]) => {
      const { exitCode, out, err } = await runBackbook([...words, '--json'], { cwd: folder.path, env })
      expect({ words, exitCode, err }).toEqual({ words, exitCode: 0, err: '' })
      return JSON.parse(out) as Record<string, unknown>
    }
    const copy = (from: string, to: string, ...words: string[]) => report('copy', '--from', from, '--to', to, ...words)
    await Bun.write(join(folder.path, 'a.ndjson'), lines.join(''))
    await runBackbook(['ingest', 'a.ndjson', '--data', 'one'], { cwd: folder.path })
    expect(await copy('one', address)).toMatchObject({ days_copied: DAYS, days_the_same: 0, left_out: [] })
    expect(await copy('one', address)).toMatchObject({ days: DAYS, days_copied: 0, days_the_same: DAYS })
    expect(await report('compact')).toMatchObject({ market_days: DAYS, objects: 1, damage: [] })
    expect(await report('compact')).toMatchObject({ market_days: 0, objects: 0 })
    expect(await report('sweep')).toMatchObject({ removed: true, grace_hours: 24, unnamed: 0, unknown: 0 })
    expect(await report('verify')).toMatchObject({ market_days: DAYS, damage: [], store_damage: [] })
    expect(await copy(address, 'two', '--from-date', '2026-08-12')).toMatchObject({ days_copied: 1 })
    expect(await copy(address, 'two')).toMatchObject({ days_copied: 2, days_the_same: 1 })
    const settings = Object.entries(second.variables).map(([name, value]) => [name.toLowerCase(), numbered(value)])
    await Bun.write(join(folder.path, 'second.json'), JSON.stringify(Object.fromEntries(settings)))
    expect(await copy(address, 'second.json')).toMatchObject({ days_copied: DAYS })
    expect(await copy('second.json', 'two')).toMatchObject({ days_copied: 0, days_the_same: DAYS })
    const words = ['copy', '--from', address, '--to', `${address}/`]
    const { exitCode, err } = await runBackbook(words, { cwd: folder.path, env })
    expect([exitCode, err]).toEqual([2, expect.stringContaining('are the same store')])
  }, 120_000)
}

const numbered = (value: string) => (/^[0-9]+$/.test(value) ? Number(value) : value)

if (HAS_ENGINES) describe('on a cluster', suite)
else describe.skip(`on a cluster: ${ENGINES_SKIPPED}`, suite)

// Goal: compact, sweep, push and pull as their users run them: on real engines, and what they refuse.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { S3Objects } from '../../../../storage/cluster/objects/s3-objects.ts'
import { kalshiDelta, kalshiSnapshot } from '../../../model/lines.ts'
import { S3_SKIPPED, S3_TEST_URL, testObjectSettings } from '../../../support/cluster/s3-server.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL'] ?? ''
const DAYS = 3

const lines = Array.from({ length: DAYS }, (_, day) => {
  const deltas = [0, 1, 2].map((i) => kalshiDelta(day * 86_400_000 + i * 1_000, `0.${4 + day}${i}00`, '2.00'))
  return [...(day === 0 ? [kalshiSnapshot([['0.2000', '5.00']], [['0.3000', '7.00']])] : []), ...deltas]
})
  .flat()
  .map((line) => `${JSON.stringify(line)}\n`)

describe('without a cluster', () => {
  test.each([
    [['push', '--data', 'none'], 2, 'push needs a cluster: set STORE_URL and CATALOGUE_URL'],
    [['pull', '--data', 'none'], 2, 'pull needs a cluster: set STORE_URL and CATALOGUE_URL'],
    [['pull', '--from', '2026-7-1'], 2, '--from must be a UTC date written YYYY-MM-DD, got "2026-7-1"'],
    [['push', '--from', '2026-07-02', '--to-date', '2026-07-01'], 2, '--from must not be after --to-date'],
    [['push', '--market', 'KX'], 2, '--market needs --venue'],
    [['push', '--venue', 'polymarket', '--market', 'KX'], 2, '--market must be'],
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

  test('there is nothing to sweep', async () => {
    using folder = temporaryFolder()
    const { exitCode, out } = await runBackbook(['sweep'], { cwd: folder.path })
    expect([exitCode, out]).toEqual([0, expect.stringContaining('has nothing to sweep')])
  })
})

const suite = () => {
  test('push, compact, sweep, verify, pull', async () => {
    using folder = temporaryFolder()
    const objects = await testObjectSettings(S3_TEST_URL)
    const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
    const cluster = {
      STORE_URL: `s3://${objects.bucket}/${objects.prefix}`,
      CATALOGUE_URL: POSTGRES,
      CATALOGUE_SCHEMA: schema,
      AWS_ENDPOINT_URL: objects.endpoint!,
      AWS_ACCESS_KEY_ID: objects.accessKeyId,
      AWS_SECRET_ACCESS_KEY: objects.secretAccessKey,
    }
    const run = async (words: string[], env: Record<string, string> = cluster) => {
      const { exitCode, out, err } = await runBackbook(words, { cwd: folder.path, env })
      expect({ words, exitCode, err }).toEqual({ words, exitCode: 0, err: '' })
      return out
    }
    const report = async (...words: string[]) => JSON.parse(await run([...words, '--json'])) as Record<string, unknown>
    try {
      await Bun.write(join(folder.path, 'a.ndjson'), lines.join(''))
      await run(['ingest', 'a.ndjson', '--data', 'one'], {})
      expect(await report('push', '--data', 'one')).toMatchObject({ days_copied: DAYS, days_the_same: 0, refused: [] })
      expect(await report('push', '--data', 'one')).toMatchObject({ days_copied: 0, days_the_same: DAYS })
      expect(await report('compact')).toMatchObject({ market_days: DAYS, objects: 1, damage: [] })
      expect(await report('compact')).toMatchObject({ market_days: 0, objects: 0 })
      expect(await report('sweep')).toMatchObject({ removed: true, grace_hours: 24, unnamed: 0, unknown: 0 })
      expect(await report('verify')).toMatchObject({ market_days: DAYS, damage: [], store_damage: [] })
      expect(await report('pull', '--data', 'two', '--from', '2026-08-12')).toMatchObject({ days_copied: 1 })
      await run(['verify', '--data', 'two'], {})
      expect(await report('pull', '--data', 'two')).toMatchObject({ days_copied: 2, days_the_same: 1 })
      await run(['verify', '--data', 'two'], {})
      const records = (data: string) => run(['export', '--venue', 'kalshi', '--market', 'KXTEST-1', '--data', data], {})
      expect(await records('two')).toBe(await records('one'))
      // What the folder has loaded itself is not replaced.
      const own = [kalshiDelta(9_000, '0.9000', '1.00')]
      await Bun.write(join(folder.path, 'b.ndjson'), own.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await run(['ingest', 'b.ndjson', '--data', 'two'], {})
      const { exitCode, out, err } = await runBackbook(['pull', '--data', 'two'], { cwd: folder.path, env: cluster })
      expect([exitCode, err]).toEqual([1, expect.stringContaining('could not be copied')])
      expect(out).toContain('left out: kalshi KXTEST-1 2026-08-10: the target has other records')
    } finally {
      const sql = new SQL(POSTGRES)
      await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await sql.close()
      const store = new S3Objects(objects)
      await store.remove((await Array.fromAsync(store.list(''))).map(({ key }) => key))
    }
  }, 120_000)
}

if (POSTGRES && S3_TEST_URL) describe('on a cluster', suite)
else describe.skip(`on a cluster: ${S3_SKIPPED}`, suite)

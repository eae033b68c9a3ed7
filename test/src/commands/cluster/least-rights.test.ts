// long: it starts engines and nodes of its own
// Goal: the rights that deploy/cluster grants suffice for their stated purpose, and for nothing else. A reader answers
// everything and manages accounts, but changes no stored data. Only the owner makes tables.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import {
  objectSettingsOf,
  S3_TEST_GUEST_URL,
  S3_TEST_URL,
  setBucketRights,
} from '../../../support/cluster/s3-server.ts'
import { tradeLines } from '../../../support/disk/data-folder.ts'
import { noPostgresServer, type PostgresServer, startPostgres } from '../../../support/postgres-server.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { serveProcess } from '../../../support/programs/serve-process.ts'
import { temporaryFolder } from '../../../support/server.ts'

const DAY = syntheticDay({ date: '2026-07-20', kalshiRecords: 4_000, polymarketRecords: 1 })
const DEPLOY = join(import.meta.dir, '../../../../deploy/cluster')
const PSQL = [...new Glob('/usr/lib/postgresql/*/bin/psql').scanSync()].sort().at(-1)
const PG_DUMP = PSQL?.replace(/psql$/, 'pg_dump')
const SKIPPED = noPostgresServer ?? (S3_TEST_GUEST_URL === '' ? 'S3_TEST_GUEST_URL is not set, see .ci/with-ceph' : '')

type User = 'backbook' | 'backbook_reader' | 'backbook_writer'
type Policy = { Statement: { Action: string[] }[] }
type Component = { name: string; status: string }

const rightsIn = async (file: string) =>
  ((await Bun.file(join(DEPLOY, file)).json()) as Policy).Statement.flatMap(({ Action }) => Action)

const suite = () => {
  const folder = temporaryFolder()
  const bucket = `rights-${crypto.randomUUID()}`
  let postgres: PostgresServer

  /** Returns the variables of a user. The owner of the schema also owns the bucket; others have the rights that `grant`
   *  gave. */
  const as = (user: User): Record<string, string> => {
    const s3 = user === 'backbook' ? S3_TEST_URL : S3_TEST_GUEST_URL
    const { endpoint, accessKeyId, secretAccessKey } = objectSettingsOf(s3, { bucket, prefix: '' })
    return {
      STORE_URL: `s3://${bucket}/production`,
      CATALOGUE_URL: postgres.url.replace('//backbook@', `//${user}@`),
      AWS_ENDPOINT_URL: endpoint!,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }
  }
  const grant = async (file: string) => setBucketRights(S3_TEST_URL, bucket, await rightsIn(file))
  const run = (user: User, ...words: string[]) => runBackbook(words, { cwd: folder.path, env: as(user) })
  const succeed = async (user: User, ...words: string[]) => {
    const ended = await run(user, ...words)
    expect({ user, words, ...ended }).toMatchObject({ user, words, exitCode: 0, err: '' })
    return ended.out
  }
  const giveRoles = async () => {
    const variables = ['ON_ERROR_STOP=1', 'reader_password=r', 'writer_password=w'].flatMap((each) => ['-v', each])
    const command = [PSQL!, ...variables, '-q', '-f', join(DEPLOY, 'roles.sql'), postgres.url]
    const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
    const errorLines = (await child.stderr.text())
      .split('\n')
      .filter((line) => line !== '' && !line.includes(' NOTICE: '))
    expect([errorLines, await child.exited]).toEqual([[], 0])
  }

  beforeAll(async () => {
    postgres = await startPostgres()
    await setBucketRights(S3_TEST_URL, bucket, [])
    await Bun.write(join(folder.path, 'kalshi.ndjson'), `${Array.from(DAY.kalshiLines).join('\n')}\n`)
    await Bun.write(join(folder.path, 'more.ndjson'), tradeLines(0, 100, 'KX-MORE').join('\n'))
    await Bun.write(join(folder.path, 'other.ndjson'), tradeLines(100, 100, 'KX-OTHER').join('\n'))
    await succeed('backbook', 'ingest', 'kalshi.ndjson')
    await succeed('backbook', 'keys', 'create', '--user', 'first', '--name', 'first')
    await giveRoles()
    await giveRoles()
  }, 60_000)
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  test('a node that reads answers questions, makes keys and counts calls', async () => {
    await grant('bucket-reader.json')
    await using node = await serveProcess(join(folder.path, 'node'), { ...as('backbook_reader'), DRAIN_SECONDS: '0' })
    const made = await fetch(`${node.url}/keys?user_id=ann&name=demo`, { method: 'POST' })
    const { data } = (await made.json()) as { data: { api_key: string } }
    const headers = { authorization: `Bearer ${data.api_key}` }
    const market = `ticker=${DAY.kalshiTicker}`
    const paths = [
      `/kalshi/market/orderbook-summary?${market}&date=${DAY.date}&resolution=60`,
      `/kalshi/market/data?${market}&date=${DAY.date}&limit=10`,
      '/kalshi/market/list',
      `/search?q=${DAY.kalshiTicker}`,
    ]
    for (const path of paths)
      expect([path, (await fetch(`${node.url}${path}`, { headers })).status]).toEqual([path, 200])
    const count = await (await fetch(`${node.url}/user/ann/requests/count`, { headers })).text()
    expect(count).toContain(`${paths.length}`)
    const status = (await (await fetch(`${node.url}/monitoring/status`)).json()) as { components: Component[] }
    const states = status.components.map(({ name, status }) => `${name} ${status}`)
    expect(states).toEqual(expect.arrayContaining(['storage ok', 'catalogue ok', 'objects ok', 'accounts ok']))
    expect((await node.stop()).err).not.toContain('"level":"error"')
  }, 60_000)

  test('a reader may verify, export, copy to a folder, make keys and dump the database', async () => {
    await grant('bucket-reader.json')
    await succeed('backbook_reader', 'verify')
    await succeed('backbook_reader', 'export', '--venue', 'kalshi', '--market', DAY.kalshiTicker)
    await succeed('backbook_reader', 'copy', '--from', `s3://${bucket}/production`, '--to', 'copy')
    await succeed('backbook_reader', 'keys', 'create', '--user', 'bob', '--name', 'b')
    const dump = Bun.spawn([PG_DUMP!, as('backbook_reader')['CATALOGUE_URL']!], { stdout: 'ignore', stderr: 'pipe' })
    expect([await dump.stderr.text(), await dump.exited]).toEqual(['', 0])
  }, 60_000)

  test('a reader can write neither rows nor objects, and the error names the missing right', async () => {
    await grant('bucket-reader.json')
    const { exitCode, err } = await run('backbook_reader', 'ingest', 'more.ndjson')
    expect([exitCode, err]).toEqual([1, expect.stringContaining('the key must have the right s3:PutObject')])
    await grant('bucket-writer.json')
    for (const words of [
      ['ingest', 'more.ndjson'],
      ['delete', '--venue', 'kalshi', '--market', DAY.kalshiTicker, '--yes'],
      ['compact'],
    ]) {
      const { exitCode, err } = await run('backbook_reader', ...words)
      const message = 'The user of CATALOGUE_URL may not do this: permission denied for table '
      expect({ words, exitCode, err }).toEqual({ words, exitCode: 1, err: expect.stringContaining(message) })
      expect(err).toContain('; to write, also INSERT, UPDATE and DELETE (deploy/cluster/roles.sql)')
      expect(err.trim().split('\n')).toHaveLength(1)
    }
    expect(await succeed('backbook', 'verify')).toContain('no damage found')
    expect(await succeed('backbook', 'markets', '--venue', 'kalshi')).not.toContain('KX-MORE')
  }, 60_000)

  test('a writer loads, compacts, deletes and sweeps', async () => {
    await grant('bucket-writer.json')
    await succeed('backbook_writer', 'ingest', 'other.ndjson')
    await succeed('backbook_writer', 'compact')
    await succeed('backbook_writer', 'delete', '--venue', 'kalshi', '--market', 'KX-OTHER', '--yes')
    await succeed('backbook_writer', 'sweep')
    await succeed('backbook_writer', 'verify')
  }, 60_000)

  test('only the owner makes a catalogue', async () => {
    await grant('bucket-writer.json')
    const load = (user: User) =>
      runBackbook(['ingest', 'more.ndjson'], { cwd: folder.path, env: { ...as(user), CATALOGUE_SCHEMA: 'another' } })
    const { exitCode, err } = await load('backbook_writer')
    expect([exitCode, err]).toEqual([1, expect.stringContaining('permission denied for database postgres')])
    expect(await load('backbook')).toMatchObject({ exitCode: 0, err: '' })
  }, 60_000)
}

if (SKIPPED === '' && PSQL !== undefined) describe('the rights of deploy/cluster', suite)
else describe.skip(`the rights of deploy/cluster: skipped, ${SKIPPED || 'psql is not installed'}`, suite)

// long: it waits for threads and processes
// Goal: the backup of docs/cluster.md works with its commands exactly as written. A dump, and a copy of the bucket
// after it, hold the store at the moment of the dump. If an object is missing, `verify` names its market days.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { clusterVariables } from '../../../../src/config/cluster-config.ts'
import { S3Objects } from '../../../../storage/cluster/objects/s3-objects.ts'
import { makeEmptyPostgres } from '../../../support/accounts.ts'
import { ENGINES_SKIPPED, HAS_ENGINES, makeEngines } from '../../../support/cluster/engines.ts'
import { S3_TEST_URL, testObjectSettings } from '../../../support/cluster/s3-server.ts'
import { tradeLines } from '../../../support/disk/data-folder.ts'
import { runBackbook } from '../../../support/programs/program.ts'
import { temporaryFolder } from '../../../support/server.ts'

const GUIDE = join(import.meta.dir, '../../../../docs/cluster.md')
const HAS_TOOLS = ['pg_dump', 'pg_restore', 'psql'].every((name) => Bun.which(name) !== null)

const suite = () => {
  test('restores the store, and a missing object is noticed', async () => {
    using folder = temporaryFolder()
    const guide = await Bun.file(GUIDE).text()
    const documented = async (program: string, env: Record<string, string>) => {
      const [command] = new RegExp(`^${program} (?:"[^"]*"|[^"\n])*$`, 'm').exec(guide)!
      const child = Bun.spawn(['bash', '-c', command], {
        cwd: folder.path,
        env: { ...process.env, ...env },
        stderr: 'pipe',
      })
      expect([command, await child.stderr.text(), await child.exited]).toEqual([command, '', 0])
    }
    const run = (env: Record<string, string>, ...words: string[]) => runBackbook(words, { cwd: folder.path, env })
    const load = async (env: Record<string, string>, market: string) => {
      await Bun.write(join(folder.path, `${market}.ndjson`), tradeLines(0, 100, market).join('\n'))
      expect(await run(env, 'ingest', `${market}.ndjson`)).toMatchObject({ exitCode: 0, err: '' })
    }
    await using engines = await makeEngines(folder.path)
    await using database = (await makeEmptyPostgres())!
    const { cluster, variables } = engines
    await load(variables, 'KX-ONE')
    await load(variables, 'KX-TWO')
    const bucket = new S3Objects(cluster.objects)
    const [lost] = await Array.fromAsync(bucket.list('segments/'))
    const key = await run(variables, 'keys', 'create', '--user', 'ann', '--name', 'laptop')
    await documented('pg_dump', variables)
    // The objects of a load after the dump; the dump does not name them.
    await load(variables, 'KX-LATER')
    const place = await testObjectSettings(S3_TEST_URL)
    const copy = new S3Objects(place)
    for await (const { key, bytes } of bucket.list('')) {
      await copy.put(key, await bucket.read({ key, start: 0, length: bytes }))
    }
    const catalogue = { ...cluster.catalogue, url: database.url }
    const restored = clusterVariables({ ...cluster, objects: place, catalogue })
    await documented('pg_restore', restored)
    await documented('psql', restored)
    expect(await run(restored, 'sweep', '--dry-run')).toMatchObject({ exitCode: 0 })
    const verified = await run(restored, 'verify', '--data', 'empty')
    expect(verified).toMatchObject({ exitCode: 0, out: expect.stringContaining('no damage found') })
    const { out: markets } = await run(restored, 'markets', '--venue', 'kalshi')
    expect(markets.match(/KX-\w+/g)).toEqual(['KX-ONE', 'KX-TWO'])
    expect([key.exitCode, (await run(restored, 'keys', 'list', '--user', 'ann')).out]).toEqual([
      0,
      expect.stringContaining('laptop'),
    ])
    await load(restored, 'KX-LATER')
    await copy.remove([lost!.key])
    const { exitCode, out } = await run(restored, 'verify', '--data', 'another')
    expect(exitCode).toBe(1)
    expect(out).toContain(`The object ${lost!.key} is missing, and rows name it`)
    expect(out).toMatch(/^damaged: kalshi KX-(?:ONE|TWO) 2026-\d\d-\d\d: /m)
    await copy.remove((await Array.fromAsync(copy.list(''))).map(({ key }) => key))
  }, 120_000)
}

const SKIPPED = HAS_ENGINES
  ? HAS_TOOLS
    ? ''
    : 'skipped, pg_dump, pg_restore and psql are not installed'
  : ENGINES_SKIPPED
if (SKIPPED === '') describe('a dump of the catalogue and a copy of the bucket', suite)
else describe.skip(`a dump of the catalogue and a copy of the bucket: ${SKIPPED}`, suite)

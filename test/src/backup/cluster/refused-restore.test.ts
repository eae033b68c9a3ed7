// Goal: a backup of a cluster is restored whole or not at all: what is damaged, missing or in the way is named, and the
// database stays as it was.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { ObjectsLacking } from '../../../../src/backup/cluster/restore-cluster-backup.ts'
import { clusterVariables } from '../../../../src/config/cluster-config.ts'
import { CopiedCluster } from '../../../support/cluster/copied-cluster.ts'
import { ENGINES_SKIPPED, HAS_ENGINES } from '../../../support/cluster/engines.ts'
import { runBackbook } from '../../../support/programs/program.ts'

type Manifest = { tables: { name: string; rows: number; columns: string[] }[]; files: { path: string }[] }

const change = (backup: string, adjust: (manifest: Manifest) => unknown) => {
  const path = join(backup, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  adjust(manifest)
  writeFileSync(path, JSON.stringify(manifest))
}
const flip = (path: string) => {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
}
const days = (manifest: Manifest) => manifest.tables.find(({ name }) => name === 'days')!
const rename = ({ files }: Manifest) => {
  files[0]!.path = '../x'
}
const otherColumn = (manifest: Manifest) => {
  days(manifest).columns[0] = 'x'
}

const DAMAGES: [string, (at: string) => void, string][] = [
  ['without a manifest', (at) => rmSync(join(at, 'manifest.json')), 'was not finished: it has no manifest.json'],
  ['with half a manifest', (at) => truncateSync(join(at, 'manifest.json'), 90), 'manifest.json is damaged'],
  ['with a changed byte', (at) => flip(join(at, 'catalogue/days.copy.zst')), 'catalogue/days.copy.zst does not match'],
  ['with a changed list', (at) => flip(join(at, 'objects.tsv')), 'objects.tsv does not match its checksum'],
  ['with a short file', (at) => truncateSync(join(at, 'accounts/users.copy.zst'), 5), 'users.copy.zst has 5 bytes'],
  ['without a file', (at) => rmSync(join(at, 'catalogue/sums.copy.zst')), 'catalogue/sums.copy.zst is missing'],
  ['that names another file', (at) => change(at, rename), 'its files lack catalogue/'],
  ['that names one more', (at) => change(at, ({ files }) => files.push({ ...files[0]!, path: '/etc/x' })), '"/etc/x"'],
  ['that names a table twice', (at) => change(at, ({ tables }) => tables.push(tables[0]!)), 'or name it twice'],
  ['with other columns', (at) => change(at, otherColumn), 'the table days has other columns'],
  ['with other rows', (at) => change(at, (all) => days(all).rows++), 'the table days has'],
  [
    'of a newer program',
    (at) => change(at, (all) => Object.assign(all, { format: 3 })),
    'has format 3: it was made by',
  ],
]

const suite = () => {
  let given: CopiedCluster
  beforeAll(async () => {
    given = await CopiedCluster.open()
    await given.load()
    await given.backup(given.path('backup'))
  }, 60_000)
  afterAll(() => given[Symbol.asyncDispose](), 60_000)

  test.each(DAMAGES)('one %s', async (_, damage, message) => {
    const damaged = given.path(`damaged-${crypto.randomUUID()}`)
    cpSync(given.path('backup'), damaged, { recursive: true })
    damage(damaged)
    await using place = await given.place()
    await expect(given.restore(damaged, place)).rejects.toThrow(message)
    expect(await place.tables()).toEqual([])
  })

  test('into a schema with tables, or beside accounts', async () => {
    const message = 'the schema backbook has tables already: set CATALOGUE_SCHEMA to one that has none'
    const here = { ...(await given.place()), cluster: given.engines.cluster }
    await expect(given.restore(given.path('backup'), here)).rejects.toThrow(message)
    const { catalogue } = here.cluster
    const other = { ...here, cluster: { ...here.cluster, catalogue: { ...catalogue, schema: 'other' } } }
    await expect(given.restore(given.path('backup'), other)).rejects.toThrow('the database has accounts already')
    await given.restore(given.path('backup'), other, { keepAccounts: true })
    await using sql = new SQL(given.url)
    expect((await sql`SELECT count(*)::int AS count FROM other.days`)[0].count).toBeGreaterThan(0)
    await here[Symbol.asyncDispose]()
  })

  test('whose objects the bucket lacks, unless it is forced; each is named', async () => {
    const [lost, short] = await Array.fromAsync(given.objects.list('segments/'))
    const kept = await given.objects.read({ key: lost!.key, start: 0, length: lost!.bytes })
    const whole = await given.objects.read({ key: short!.key, start: 0, length: short!.bytes })
    await given.objects.remove([lost!.key])
    await given.objects.put(short!.key, whole.subarray(1))
    await using place = await given.place()
    const error = await given.restore(given.path('backup'), place).catch((error: unknown) => error)
    const wanted = [
      { key: lost!.key, bytes: lost!.bytes, what: 'it is missing' },
      {
        key: short!.key,
        bytes: short!.bytes,
        what: `it has ${short!.bytes - 1} bytes, and should have ${short!.bytes}`,
      },
    ]
    expect(error).toBeInstanceOf(ObjectsLacking)
    expect((error as ObjectsLacking).lacking).toEqual(wanted)
    expect(await place.tables()).toEqual([])
    expect((await given.backup(given.path('lacking'), 'size')).lacking).toEqual(wanted)
    const changed = Uint8Array.from(whole)
    changed[9]! ^= 1
    await given.objects.put(short!.key, changed)
    expect((await given.backup(given.path('changed-size'), 'size')).lacking).toEqual([wanted[0]!])
    expect((await given.backup(given.path('changed'), 'checksum')).lacking).toEqual([
      wanted[0]!,
      { ...wanted[1]!, what: 'it has other bytes than its name says' },
    ])
    expect((await given.restore(given.path('backup'), place, { force: true })).lacking).toEqual([wanted[0]!])
    await given.objects.put(lost!.key, kept)
    await given.objects.put(short!.key, whole)
  })

  test('as a command: into the wrong kind of store, and what it says', async () => {
    await using place = await given.place()
    const env = clusterVariables(place.cluster)
    const backup = given.path('backup')
    const toFolder = await runBackbook(['restore', backup, '--data', given.path('folder')])
    expect([toFolder.exitCode, toFolder.err]).toEqual([1, expect.stringContaining('is of a cluster: set STORE_URL')])
    const toCluster = await runBackbook(['restore', backup], { env })
    expect([toCluster.exitCode, toCluster.err]).toEqual([0, ''])
    expect(toCluster.out).toContain('is in the schema backbook, in ')
    const again = await runBackbook(['restore', backup], { env })
    expect([again.exitCode, again.out, again.err]).toEqual([2, '', expect.stringContaining('has tables already')])
    const check = await runBackbook(['restore', backup, '--check', '--json'], { env })
    expect([check.exitCode, JSON.parse(check.out)]).toEqual([0, expect.objectContaining({ schema: null, lacking: [] })])
    const made = await runBackbook(['backup', given.path('by-command'), '--verify', '--json'], { env })
    const report = JSON.parse(made.out) as { accounts: string; objects: { count: number }; checked: string }
    expect([made.exitCode, report.accounts, report.checked]).toEqual([0, 'postgresql', 'size'])
    expect(report.objects.count).toBeGreaterThan(0)
    const taken = await runBackbook(['backup', given.path('by-command')], { env })
    expect([taken.exitCode, taken.err]).toEqual([2, expect.stringContaining('exists already')])
  }, 30_000)
}

if (HAS_ENGINES) describe('a restore of a cluster refuses', suite)
else describe.skip(`a restore of a cluster refuses: ${ENGINES_SKIPPED}`, suite)

test('without a cluster its options are refused', async () => {
  const kept = await runBackbook(['restore', 'none', '--keep-accounts'])
  expect([kept.exitCode, kept.err]).toEqual([2, expect.stringContaining('--keep-accounts is for a cluster')])
  const checked = await runBackbook(['backup', 'none', '--checksums'])
  expect([checked.exitCode, checked.err]).toEqual([2, expect.stringContaining('--checksums is for a cluster')])
})

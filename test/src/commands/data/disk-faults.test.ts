// long: it waits for threads and processes
// Goal: a server with a full disk answers from what it has, and every command reports a folder that it cannot write.

import { expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, TICKER } from '../../../model/lines.ts'
import { dataFolder, tradeLines } from '../../../support/disk/data-folder.ts'
import { canMount, onReadOnlyDisk, onSmallDisk } from '../../../support/disk/small-disk.ts'

const ROOT = join(import.meta.dir, '../../../..')
const MAIN = join(ROOT, 'src/main.ts')

const SERVING = `
  import { cpSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { startServer } from '${ROOT}/src/commands/server/serve.ts'
  import { readConfig } from '${ROOT}/src/config/config.ts'
  const [, disk, from, secret, more] = process.argv
  const data = join(disk, 'data')
  cpSync(from, data, { recursive: true })
  const config = readConfig({ flags: {}, variables: { WORKER_THREADS: '1', LOG_LEVEL: 'fatal' }, file: undefined }, 1)
  const server = await startServer({ ...config, data, port: 0 })
  const ask = async (path, init) => {
    const response = await fetch(server.url + path, { headers: { authorization: 'Bearer ' + secret }, ...init })
    const body = await response.json()
    return response.status === 200 ? 200 : response.status + ' ' + body.code + ' ' + response.headers.get('retry-after')
  }
  const page = '/kalshi/market/data?ticker=${TICKER}&date=${DAY}'
  const question = '/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DAY}'
  const makeKey = (name) => ask('/keys?user_id=bob&name=' + name.padEnd(200, 'x'), { method: 'POST', headers: {} })
  const reads = async () => [await ask(page), await ask(question), await ask('/kalshi/market/list'), await ask('/health')]
  const load = async () => {
    const child = Bun.spawn([process.execPath, '${MAIN}', 'ingest', '--data', data, more], { stdout: 'pipe', stderr: 'pipe' })
    const text = await child.stderr.text()
    return [await child.exited, text.replaceAll(disk, 'DISK').trim()]
  }
  const before = await reads()
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'ballast'), new Uint8Array(bavail * bsize))
  let refused = 200
  for (let n = 0; refused === 200 && n < 1000; n++) refused = await makeKey('full' + n)
  const meanwhile = await reads()
  const loading = await load()
  // The server tried to write usage meanwhile: the waiting writes are older than one attempt takes.
  const waited = async () => {
    const metrics = await (await fetch(server.url + '/metrics')).text()
    return Number(/^backbook_usage_unwritten_seconds (\\S+)$/m.exec(metrics)[1])
  }
  while ((await waited()) < 1) await Bun.sleep(50)
  const still = await reads()
  rmSync(join(disk, 'ballast'))
  const made = await makeKey('later')
  const loaded = await load()
  const after = await reads()
  const usage = await (await fetch(server.url + '/user/ann/requests/count')).json()
  await server.stop()
  console.log(JSON.stringify({ before, refused, meanwhile, loading, still, made, loaded, after, counted: usage.total_requests }))
`

test.skipIf(!canMount)(
  'a server whose disk is full answers what it has, refuses keys with a 503, and counts every call (skipped where no disk can be mounted)',
  async () => {
    using folder = await dataFolder()
    const more = join(folder.folder, 'more.ndjson')
    await Bun.write(more, tradeLines(50_000, 5_000).join('\n'))
    const { out, err, exitCode } = await onSmallDisk(24, SERVING, [folder.data, folder.secret, more])
    expect([err, exitCode]).toEqual(['', 0])
    const well = [200, 200, 200, 200]
    const full =
      /backbook: The disk of DISK\/data is full: what was stored before is kept. Free some space and do it again$/
    expect(JSON.parse(out)).toEqual({
      before: well,
      refused: '503 accounts_unavailable 1',
      meanwhile: well,
      // LMDB prints a line of its own before ours.
      loading: [1, expect.stringMatching(full)],
      still: well,
      made: 200,
      loaded: [0, ''],
      after: well,
      counted: 12,
    })
  },
  60_000,
)

test.skipIf(!canMount)(
  'every command says what is wrong with a folder that cannot be written (skipped where no disk can be mounted)',
  async () => {
    using folder = await dataFolder()
    const capture = join(folder.folder, 'c.ndjson')
    await Bun.write(capture, tradeLines(0, 10).join('\n'))
    await Bun.write(join(folder.folder, 'empty', 'file'), '')
    cpSync(folder.data, join(folder.folder, 'data'), { recursive: true })
    const commands = [
      ['serve', '--port', '0'],
      ['ingest', capture],
      ['keys', 'create', '--user', 'ann', '--name', 'a'],
      ['plans', 'set', '--user', 'ann', '--plan', 'pro'],
      ['verify'],
      ['markets'],
      ['compact'],
      ['backup', join(folder.folder, 'backup')],
    ]
    const script = `
      const results = []
      for (const words of ${JSON.stringify(commands)}) {
        for (const name of ['data', 'empty']) {
          const command = [process.execPath, '${MAIN}', ...words, '--data', process.argv[1] + '/' + name]
          const { exitCode, stderr } = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
          results.push([words[0], name, exitCode, stderr.toString().trim().replaceAll(process.argv[1], 'DISK')])
        }
      }
      console.log(JSON.stringify(results))`
    const { out, err } = await onReadOnlyDisk(folder.folder, script)
    expect(err).toBe('')
    for (const [command, name, exitCode, error] of JSON.parse(out) as [string, string, number, string][]) {
      const place = `${command} on ${name}: ${error}`
      expect([place, exitCode]).toEqual([place, error.includes('there is no store') ? 2 : 1])
      expect(error).toMatch(/^backbook: [^\n]+$/)
      expect(error).toMatch(/read-only file system|there is no store/)
    }
  },
  60_000,
)

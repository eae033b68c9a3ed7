// Goal: if a disk turns read-only under a running server, requests that must write get a 503, and all others work. When
// the disk is repaired and the server restarted, everything acknowledged is there.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY, TICKER } from '../../../model/lines.ts'
import { dataFolder, tradeLines } from '../../../support/disk/data-folder.ts'
import { canBreakDisk, onBreakingDisk } from '../../../support/disk/small-disk.ts'

const ROOT = join(import.meta.dir, '../../../..')

const IMPORTS = `
  import { cpSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { startServer } from '${ROOT}/src/commands/server/serve.ts'
  import { readConfig } from '${ROOT}/src/config/config.ts'
  import { runProcess } from '${ROOT}/test/support/programs/program.ts'
  const [, disk, trigger, from, secret, more] = process.argv
  const data = join(disk, 'data')
  const serve = () => {
    const config = readConfig({ flags: {}, variables: { WORKER_THREADS: '1', LOG_LEVEL: 'fatal' }, file: undefined }, 1)
    return startServer({ ...config, data, port: 0 })
  }
  const asking = (server) => async (path, init) => {
    const response = await fetch(server.url + path, { headers: { authorization: 'Bearer ' + secret }, ...init })
    const body = await response.json()
    return response.status === 200 ? 200 : response.status + ' ' + body.code + ' ' + response.headers.get('retry-after')
  }
  const questions = ['/kalshi/market/data?ticker=${TICKER}&date=${DAY}',
    '/kalshi/market/orderbook-summary?ticker=${TICKER}&date=${DAY}', '/kalshi/market/list', '/health']
  const run = async (...words) => {
    const { exitCode, err } = await runProcess([...words, '--data', data])
    return [exitCode, err.trim().replaceAll(disk, 'DISK')]
  }
  const print = (value) => console.log(JSON.stringify(value))
`

const BREAKING = `${IMPORTS}
  cpSync(from, data, { recursive: true })
  const server = await serve()
  const ask = asking(server)
  const reads = async () => [await ask(questions[0]), await ask(questions[1]), await ask(questions[2]), await ask(questions[3])]
  const makeKey = () => ask('/keys?user_id=bob&name=a', { method: 'POST', headers: {} })
  const before = [...await reads(), await makeKey()]
  // Flushes the file system, so that mapped pages must be read again.
  Bun.spawnSync(['sync', '--file-system', data])
  writeFileSync(trigger, 'a test')
  const broken = [...await reads(), await makeKey()]
  const loading = await run('ingest', more)
  const key = await run('keys', 'create', '--user', 'eve', '--name', 'a')
  const still = [...await reads(), await makeKey()]
  await server.stop()
  print({ before, broken, loading, key, still })
`

const REPAIRED = `${IMPORTS}
  const server = await serve()
  const ask = asking(server)
  const well = [await ask(questions[0]), await ask('/keys?user_id=carl&name=a', { method: 'POST', headers: {} })]
  const { total } = await (await fetch(server.url + '/keys?user_id=bob')).json()
  await server.stop()
  print({ well, keysOfBob: total, loaded: await run('ingest', more), verified: await run('verify') })
`

test.skipIf(!canBreakDisk)(
  'a disk that the kernel makes read-only (skipped where no image can be mounted: it takes root and a loop device)',
  async () => {
    using folder = await dataFolder()
    const more = join(folder.folder, 'more.ndjson')
    await Bun.write(more, tradeLines(50_000, 5_000).join('\n'))
    const { out, err, exitCode } = await onBreakingDisk(BREAKING, REPAIRED, [folder.data, folder.secret, more])
    expect([err, exitCode]).toEqual(['', 0])
    const [breaking, repaired] = out.trim().split('\n')
    const readOnly = [200, 200, 200, 200, '503 accounts_unavailable 1']
    const sentence = (what: string) => expect.stringMatching(new RegExp(`^backbook: [^\\n]*${what}[^\\n]*$`))
    expect(JSON.parse(breaking!)).toEqual({
      before: [200, 200, 200, 200, 200],
      broken: readOnly,
      loading: [1, sentence('DISK/data: Read-only file system')],
      key: [1, sentence('read-only file system')],
      still: readOnly,
    })
    expect(JSON.parse(repaired!)).toEqual({ well: [200, 200], keysOfBob: 1, loaded: [0, ''], verified: [0, ''] })
  },
  60_000,
)

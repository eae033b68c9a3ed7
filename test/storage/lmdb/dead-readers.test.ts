// Goal: a process that is killed during a read does not block the reuse of its pages for ever.

import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../storage/open-store.ts'
import { putMarkets } from '../../support/made-markets.ts'
import { temporaryFolder } from '../../support/server.ts'

const ROOT = join(import.meta.dir, '../../..')
const READER = `
  import { openEnvironment } from '${ROOT}/storage/lmdb/environment.ts'
  const { databases } = openEnvironment(process.argv[1])
  const transaction = databases.root.useReadTransaction()
  databases.meta.get('version', { transaction })
  console.log('reading')
  setInterval(() => {}, 1_000)
`

test('a writer that was open all the time reuses the pages', async () => {
  using folder = temporaryFolder()
  const store = openStore(folder.path)
  const write = () => putMarkets(store, ['KX'], 1_000_000)
  const size = () => statSync(join(folder.path, 'store', 'data.mdb')).size
  await write()
  const reader = Bun.spawn([process.execPath, '-e', READER, folder.path], { stdout: 'pipe', stderr: 'inherit' })
  for await (const bytes of reader.stdout) {
    expect(new TextDecoder().decode(bytes)).toBe('reading\n')
    break
  }
  for (let n = 0; n < 10; n++) await write()
  const withReader = size()
  expect(withReader).toBeGreaterThan(10_000_000)
  reader.kill('SIGKILL')
  await reader.exited
  for (let n = 0; n < 20; n++) await write()
  expect(size()).toBeLessThanOrEqual(withReader + 2_000_000)
  await store.close()
})

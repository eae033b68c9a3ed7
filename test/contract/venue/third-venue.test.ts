// long: the project is copied and its types are checked
// Goal: a third venue needs a folder in each layer and an entry in each map. The compiler reports each missing entry.
// With all entries, the suite of every venue also passes for the made-up venue.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/server.ts'
import { addEntries, copyWithVenue, MAPS } from './third-venue.ts'

const TIMEOUT_MS = 300_000
const [NAMES, PAGE] = ['storage/venue.ts', 'explorer/venues.ts']
const PRODUCT = { extends: './tsconfig.json', include: ['src', 'workers', 'storage'], exclude: ['**/*.test.ts'] }

let bare: ReturnType<typeof temporaryFolder>
let whole: ReturnType<typeof temporaryFolder>

beforeAll(async () => {
  ;[bare, whole] = [temporaryFolder(), temporaryFolder()]
  for (const { path } of [bare, whole]) {
    copyWithVenue(path)
    await Bun.write(join(path, 'tsconfig.product.json'), JSON.stringify(PRODUCT))
  }
  addEntries(bare.path, [NAMES])
  addEntries(
    whole.path,
    Object.keys(MAPS).filter((map) => map !== PAGE),
  )
})
afterAll(() => {
  bare[Symbol.dispose]()
  whole[Symbol.dispose]()
})

async function run(cwd: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...words], { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { text: out + err, exitCode }
}

/** Returns the files in which the compiler finds errors. */
async function faultyFiles(cwd: string, project: string): Promise<string[]> {
  const { text } = await run(cwd, ['node_modules/.bin/tsc', '--noEmit', '-p', project])
  return [...new Set(Array.from(text.matchAll(/^([\w./-]+)\(\d+,\d+\): error/gm), ([, file]) => file!))].sort()
}

test(
  'with only a name, the compiler requires an entry in each map, and nothing else',
  async () => {
    const ofServer = Object.keys(MAPS).filter((map) => /^(?:src|workers)\//.test(map))
    expect(await faultyFiles(bare.path, 'tsconfig.product.json')).toEqual(ofServer.sort())
  },
  TIMEOUT_MS,
)

test(
  'with its entries, the project compiles, and so does the page with new types of the API',
  async () => {
    expect(await faultyFiles(whole.path, 'tsconfig.product.json')).toEqual([])
    const types = [process.execPath, 'test', 'test/client/client-types.test.ts']
    expect((await run(whole.path, types, { UPDATE_CLIENT_TYPES: '1' })).exitCode).toBe(0)
    expect(await faultyFiles(whole.path, 'explorer')).toEqual([PAGE])
    addEntries(whole.path, [PAGE])
    expect(await faultyFiles(whole.path, 'explorer')).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'the suites of every venue and of its page pass',
  async () => {
    const suites = ['test/contract/venue/every-venue.test.ts', 'test/contract/venue/every-page.test.ts']
    const { text, exitCode } = await run(whole.path, [process.execPath, 'test', '--timeout', '120000', ...suites])
    expect(exitCode === 0 ? '' : text).toBe('')
    const names = ['the command and the API return the same book', 'the recorder records it from its socket']
    expect(names.filter((name) => !text.includes(`(pass) toy > ${name}`))).toEqual([])
  },
  TIMEOUT_MS,
)

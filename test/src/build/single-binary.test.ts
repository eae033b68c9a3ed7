// long: it builds the binary and runs it
// Builds the single binary once, and runs it from an empty folder with an empty environment, as on another machine.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { VERSION } from '../../../src/version.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { hasChromium, openExplorer } from '../../support/explorer/browser.ts'

const PROJECT = join(import.meta.dir, '../../..')
const root = mkdtempSync(join(tmpdir(), 'backbook-binary-'))
const dist = join(root, 'dist')
const empty = join(root, 'empty')
const temporary = join(root, 'temporary')
const binary = join(dist, process.platform === 'win32' ? 'backbook.exe' : 'backbook')
const day = syntheticDay({ date: '2026-07-20', kalshiRecords: 3_000, polymarketRecords: 1_500 })

beforeAll(async () => {
  for (const folder of [empty, temporary]) mkdirSync(folder, { recursive: true })
  const build = Bun.spawn([process.execPath, 'src/build/main.ts', '--outdir', dist], { cwd: PROJECT, stderr: 'pipe' })
  expect({ exitCode: await build.exited, stderr: await build.stderr.text() }).toEqual({ exitCode: 0, stderr: '' })
}, 120_000)

afterAll(() => rmSync(root, { recursive: true }))

type Where = { program?: string[]; cwd?: string; env?: Record<string, string> }

const spawn = (words: string[], { program = [binary], cwd = empty, env = {} }: Where = {}) =>
  Bun.spawn([...program, ...words], { cwd, env: { TMPDIR: temporary, ...env }, stdout: 'pipe', stderr: 'pipe' })

async function run(words: string[], where: Where = {}) {
  const child = spawn(words, where)
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, stderr, exitCode }
}

/** Runs the binary until it has printed `ready` and `during` is done. Then ends it as a service manager would. */
async function whileRunning(words: string[], ready: RegExp, during: (printed: string) => Promise<void>, where?: Where) {
  const child = spawn(words, where)
  try {
    let printed = ''
    const decoder = new TextDecoder()
    for await (const bytes of child.stdout as ReadableStream<Uint8Array>) {
      printed += decoder.decode(bytes, { stream: true })
      if (ready.test(printed)) break
    }
    if (!ready.test(printed)) throw new Error(`${words[0]} ended: ${printed} ${await child.stderr.text()}`)
    await during(printed)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns the answers of a server in the folder `own`. The binary or another program runs the server. */
async function servedAnswers(paths: string[], secret: string, where?: Where): Promise<string[]> {
  let bodies: string[] = []
  const ask = async (printed: string) => {
    bodies = await answers(/http:\S+/.exec(printed)![0], paths, secret)
  }
  await whileRunning(['serve', '--data', join(empty, 'own'), '--port', '0'], /listening on .*\n/, ask, where)
  return bodies
}

const answers = (url: string, paths: string[], secret: string) =>
  Promise.all(
    paths.map(async (path) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${secret}` } })
      expect(`${path.split('?')[0]} ${response.status}`).toBe(`${path.split('?')[0]} 200`)
      return response.text()
    }),
  )

const QUESTIONS = [
  `/api/v1/kalshi/market/orderbook-summary?ticker=${day.kalshiTicker}&date=${day.date}&resolution=60`,
  `/api/v1/polymarket/market/orderbook-summary?condition_id=${day.conditionId}&asset_id=${day.assetIds[0]}&date=${day.date}&resolution=3600`,
  `/api/v1/kalshi/market/data?ticker=${day.kalshiTicker}&date=${day.date}&limit=100`,
  `/api/v1/kalshi/market/date-range?ticker=${day.kalshiTicker}`,
  '/docs',
  '/docs/json',
]

test('it prints its version and build', async () => {
  const { stdout, exitCode } = await run(['--version'])
  expect(stdout).toMatch(new RegExp(`^${VERSION.replaceAll('.', '\\.')} \\(.*Bun ${Bun.version}\\)\\n$`))
  expect(exitCode).toBe(0)
})

test('demo loads, serves and answers; verify finds no damage', async () => {
  await whileRunning(['demo', '--port', '0', '--data', 'demo'], /Ctrl-C ends the demo/, async (printed) => {
    const [, secret, address] = /Bearer (bb_[\w-]+)' '(http:[^']+orderbook-summary[^']+)'/.exec(printed)!
    const response = await fetch(address!, { headers: { authorization: `Bearer ${secret}` } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data_points: 1_440 })
  })
  expect(await run(['verify', '--data', 'demo'])).toMatchObject({ exitCode: 0, stderr: '' })
}, 180_000)

test('ingest, keys, serve and verify: its answers equal those of the source, byte for byte', async () => {
  const captures = [join(empty, 'kalshi.ndjson.gz'), join(empty, 'polymarket.ndjson.zst')]
  await Bun.write(captures[0]!, Bun.gzipSync(Buffer.from([...day.kalshiLines, ''].join('\n'))))
  await Bun.write(captures[1]!, Bun.zstdCompressSync(Buffer.from([...day.polymarketLines, ''].join('\n'))))
  const loaded = await run(['ingest', '--data', 'own', '--json', ...captures])
  expect(loaded.exitCode).toBe(0)
  const report = JSON.parse(loaded.stdout) as { records: number; records_added: number }
  expect(report.records_added).toBe(report.records)
  expect(report.records).toBeGreaterThan(4_000)

  const made = await run(['keys', 'create', '--data', 'own', '--user', 'ann', '--name', 'laptop'])
  const secret = made.stdout.split('\n')[0]!
  const bodies = await servedAnswers(QUESTIONS, secret)
  const source = { program: [process.execPath, join(PROJECT, 'src/main.ts')], env: { TMPDIR: root } }
  const expected = await servedAnswers(QUESTIONS, secret, source)
  // Compares the texts here, because a difference of two days of candles is too long to print.
  const different = QUESTIONS.filter((_, index) => bodies[index] !== expected[index])
  expect(different).toEqual([])
  expect(bodies.every((answer) => answer.length > 50)).toBe(true)

  const checked = await run(['verify', '--data', 'own'])
  expect(checked).toMatchObject({ exitCode: 0, stderr: '' })
  expect(checked.stdout).toContain('no damage found')
}, 180_000)

test('mcp answers the queries of a model from a server', async () => {
  const made = await run(['keys', 'create', '--data', 'own', '--user', 'ann', '--name', 'model'])
  const key = made.stdout.split('\n')[0]!
  const candleQuery = { venue: 'kalshi', market: day.kalshiTicker, date: day.date }
  await whileRunning(['serve', '--data', join(empty, 'own'), '--port', '0'], /listening on .*\n/, async (printed) => {
    const url = /http:\S+/.exec(printed)![0]
    const client = new Client({ name: 'test', version: '1' })
    const env = { TMPDIR: temporary, BACKBOOK_KEY: key }
    await client.connect(new StdioClientTransport({ command: binary, args: ['mcp', '--url', url], cwd: empty, env }))
    expect(client.getServerVersion()).toEqual({ name: 'backbook', version: VERSION })
    const { content } = (await client.callTool({ name: 'candles', arguments: candleQuery })) as {
      content: { text: string }[]
    }
    expect(content[0]!.text).toMatch(
      /^Buckets of 900 s: 96\. .*\ntimestamp,.*\n2026-07-20T00:00:00\.000Z,\d+,false,0\.\d+,/,
    )
    await client.close()
  })
}, 180_000)

test('it contains the explorer: the page, all of its files, and in a browser a market with its book', async () => {
  const made = await run(['keys', 'create', '--data', 'own', '--user', 'ann', '--name', 'browser'])
  const secret = made.stdout.split('\n')[0]!
  await whileRunning(['serve', '--data', 'own', '--port', '0'], /listening on .*\n/, async (printed) => {
    const url = /http:\S+/.exec(printed)![0]
    const [page] = await answers(url, ['/explore'], secret)
    const files = Array.from(page!.matchAll(/(?:src|href)="(\/explore[^"]*)"/g), ([, path]) => path!)
    expect(files.map((path) => path.replace(/^.*\./, '')).sort()).toEqual(['css', 'js', 'svg'])
    await answers(url, files, secret)
    if (!hasChromium) return
    await using explorer = await openExplorer(url)
    await using visit = await explorer.visit(`/explore#key=${secret}`)
    await visit.page.getByRole('region', { name: 'Kalshi' }).locator('.list a').first().click()
    await visit.page.locator('.ladder tr.has-bid').first().waitFor()
    expect(visit.complaints).toEqual([])
  })
}, 180_000)

test('it ignores the files in its working folder', async () => {
  const folder = join(root, 'hostile')
  await Bun.write(join(folder, '.env'), 'ADMIN_TOKEN=short\n')
  await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]\n')
  await Bun.write(join(folder, 'preload.ts'), 'throw new Error("preloaded")\n')
  await Bun.write(join(folder, 'package.json'), '{ "name": "other", "version": "9.9.9", "type": "commonjs" }')
  await Bun.write(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "paths": { "*": ["./preload.ts"] } } }')
  await Bun.write(join(folder, 'node_modules/lmdb/index.js'), 'throw new Error("another lmdb")')
  mkdirSync(join(folder, 'new'))
  const made = await run(['keys', 'create', '--data', 'new', '--user', 'ann', '--name', 'laptop'], { cwd: folder })
  expect(made).toMatchObject({ exitCode: 0, stderr: '' })
})

test('it leaves only one temporary file, however often it starts', async () => {
  await run(['verify', '--data', 'nothing-here'])
  const left = readdirSync(temporary)
  expect(left).toHaveLength(1)
  await run(['verify', '--data', 'nothing-here'])
  expect(readdirSync(temporary)).toEqual(left)
})

test('if it cannot write a temporary file, it names the folder, and the variable that changes it', async () => {
  const missing = join(root, 'missing')
  const { stdout, stderr, exitCode } = await run(['verify', '--data', 'own'], { env: { TMPDIR: missing } })
  expect([stdout, exitCode]).toEqual(['', 1])
  expect(stderr).toContain('LMDB cannot be loaded: ')
  expect(stderr).toEndWith(`the folder for temporary files, ${missing}; BUN_TMPDIR names another one\n`)
})

test('checksums and licences are next to it', async () => {
  expect(readdirSync(dist).sort()).toEqual(['LICENSES.txt', 'SHA256SUMS', binary.split(/[\\/]/).at(-1)!])
  const sums = await Bun.file(join(dist, 'SHA256SUMS')).text()
  const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(binary).arrayBuffer()).digest('hex')
  expect(sums).toContain(`${hash}  ${binary.split(/[\\/]/).at(-1)}\n`)
  const licences = await Bun.file(join(dist, 'LICENSES.txt')).text()
  for (const part of [
    'Copyright',
    'Bun runtime',
    'lmdb ',
    'The OpenLDAP Public License',
    'LZ4',
    'piscina ',
    'elysia ',
    'stripe ',
  ]) {
    expect(licences).toContain(part)
  }
  expect(licences).not.toContain('biome')
})

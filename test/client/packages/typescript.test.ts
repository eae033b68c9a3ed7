// long: runs programs in other languages
// Runs the package of clients/typescript as its users do. Builds it, packs it, and installs the packed file. Uses it
// with plain Node, Bun, Deno and a browser against a real server. Skips parts whose programs are missing, and says so.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { denoProgram } from '../../../bench/peers/installed-peers.ts'
import { isPresent } from '../../run/missing.ts'
import { hasChromium, openExplorer, type Visit } from '../../support/explorer/browser.ts'
import { temporaryFolder } from '../../support/server.ts'
import { askInPage, serveClientPage } from './client-page.ts'
import { GrowingMarket } from './growing-market.ts'
import { SMALL_DEMO, type SmallDemo, serveSmallDemo } from './small-demo.ts'

const PROJECT = join(import.meta.dir, '../../..')
const PACKAGE = join(PROJECT, 'clients/typescript')
const isHere = ['node', 'npm'].every((name) => Bun.which(name) !== null)
const clients = isHere ? describe : describe.skip
const DENO = denoProgram()
isPresent(isHere, 'Node and npm')
isPresent(DENO !== undefined, 'Deno (bun run bench:peers)')

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
let demo: SmallDemo
let page: ReturnType<typeof serveClientPage>

/** Returns the start of a command line of Deno: with the packages that npm has installed, only local connections. */
const deno = (command: 'run' | 'test') => [
  ...[DENO!, command, '--no-check', '--no-prompt', '--no-remote', '--cached-only', '--node-modules-dir=manual'],
  '--allow-net=127.0.0.1',
]

async function run(command: string[], cwd = folder.path) {
  const ofDeno = { DENO_DIR: file('deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' }
  const environment = { HOME: folder.path, ...ofDeno, ...demo.env }
  const child = Bun.spawn(command, { cwd, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

async function done(command: string[], cwd?: string): Promise<string> {
  const { code, out, err } = await run(command, cwd)
  if (code !== 0) throw new Error(`${command.join(' ')} ends with ${code}: ${out}${err}`)
  return out
}

clients(`the TypeScript package${isHere ? '' : ': skipped, there is no node and npm'}`, () => {
  beforeAll(async () => {
    page = serveClientPage(file('node_modules'))
    demo = await serveSmallDemo({ corsOrigins: new Set([page.url]) })
    await done([process.execPath, join(PACKAGE, 'build.ts'), file('built')], PROJECT)
    mkdirSync(file('packed'))
    await done(['npm', 'pack', file('built'), '--pack-destination', file('packed'), '--silent'])
    const [packed] = [...new Glob('*.tgz').scanSync(file('packed'))]
    await Bun.write(file('package.json'), '{"type":"module"}')
    await done(['npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', join(file('packed'), packed!)])
    cpSync(join(PROJECT, 'node_modules/@uwdata'), file('node_modules/@uwdata'), { recursive: true })
    for (const name of new Glob('*.mjs').scanSync(join(PACKAGE, 'test')))
      cpSync(join(PACKAGE, 'test', name), file(name))
  }, 120_000)
  afterAll(async () => {
    await demo[Symbol.asyncDispose]()
    await page[Symbol.asyncDispose]()
  })

  test('its tests pass with plain Node', async () => {
    const { code, out } = await run(['node', '--test', 'try-client.mjs', 'try-stream.mjs'])
    if (code !== 0) console.error(out)
    expect(code).toBe(0)
    expect(Number(/^# pass (\d+)$/m.exec(out)?.[1] ?? /^ℹ pass (\d+)$/m.exec(out)?.[1])).toBeGreaterThan(12)
  }, 180_000)

  test('its tests pass with Bun, which has WebSocket', async () => {
    const { code, err } = await run([process.execPath, 'test', './try-client.mjs', './try-stream.mjs'])
    if (code !== 0) console.error(err)
    expect(code).toBe(0)
    expect(err).toContain('over socket')
    expect(Number(/(\d+) pass/.exec(err)?.[1])).toBeGreaterThan(20)
  }, 180_000)

  test.skipIf(DENO === undefined)(
    'its tests pass with Deno, which connects only to this machine',
    async () => {
      const mayMakeMarkets = ['--allow-read', `--allow-write=${tmpdir()}`, `--allow-run=${process.execPath}`]
      const { code, out, err } = await run([
        ...deno('test'),
        '--allow-env',
        ...mayMakeMarkets,
        'try-client.mjs',
        'try-stream.mjs',
      ])
      if (code !== 0) console.error(out, err)
      expect(code).toBe(0)
      expect(out).toContain('over socket')
      expect(Number(/(\d+) passed/.exec(out)?.[1])).toBeGreaterThan(20)
    },
    180_000,
  )

  test('the examples of docs/typescript.md compile, and run', async () => {
    const text = await Bun.file(join(PROJECT, 'docs/typescript.md')).text()
    const blocks = Array.from(text.matchAll(/```ts\n([\s\S]*?)```/g), ([, block]) => block!)
    expect(blocks).toHaveLength(6)
    const transpiler = new Bun.Transpiler({ loader: 'ts' })
    for (const [i, block] of blocks.entries()) {
      await Bun.write(file(`example-${i}.ts`), block)
      await Bun.write(file(`example-${i}.mjs`), transpiler.transformSync(block))
    }
    const options = { strict: true, noEmit: true, skipLibCheck: false, module: 'nodenext', target: 'es2022' }
    // Declares `process`, which the examples use and the package does not declare.
    await Bun.write(file('process.d.ts'), 'declare const process: { env: Record<string, string | undefined> }\n')
    const compilerOptions = { ...options, lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
    await Bun.write(file('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await done([join(PROJECT, 'node_modules/.bin/tsc'), '-p', '.', '--pretty', 'false'])
    const prints = [/^2026-07-20T00:00:00.000Z 0\.\d+ 0\.\d+\n/, /^market,timestamp,open,.*\n\d+\n$/, /delta: \d+/]
    prints.push(/^24 /, /^[\d.]+ [\d.]+\n\S{20}/, /^404 market_not_stored /)
    const programs = [['node'], [process.execPath]]
    // With Deno, the examples may read only the address and the key, and use the network.
    if (DENO !== undefined) programs.push([...deno('run'), '--allow-env=BACKBOOK_URL,BACKBOOK_KEY'])
    for (const program of programs) {
      for (const [i, shown] of prints.entries()) {
        expect([i, await done([...program, `example-${i}.mjs`])]).toEqual([i, expect.stringMatching(shown)])
      }
    }
  }, 180_000)

  test('code that uses unknown names does not compile', async () => {
    const lines = [
      "import { Client, type Message } from 'backbook-client'",
      "const client = new Client({ url: 'http://a' })",
      "client.get('/kalshi/market/prices', {})",
      "client.get('/kalshi/market/trades', { date: '2026-07-20' })",
      "client.rows('/kalshi/market/book', { ticker: 'A' })",
      "client.get('/kalshi/market/book', { ticker: 'A' }).then((book) => book.buckets)",
      "client.stream({ channels: ['prices'] })",
      "client.get('/kalshi/market/book', { ticker: 'A' }).then((book) => book.bids)",
      'const changed = (message: Message) => (message.type === "reset" ? message.changed?.record : undefined)',
      'const next = (message: Message) => (message.type === "begin" ? message.date : changed(message))',
      'next satisfies (message: Message) => string | number | null | undefined',
    ]
    mkdirSync(file('wrong'))
    await Bun.write(file('wrong/wrong.ts'), lines.join('\n'))
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] }
    await Bun.write(file('wrong/tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const { out } = await run([join(PROJECT, 'node_modules/.bin/tsc'), '-p', 'wrong', '--pretty', 'false'])
    expect(Array.from(out.matchAll(/wrong\.ts\((\d+),/g), ([, line]) => Number(line))).toEqual([3, 4, 5, 6, 7])
  }, 180_000)

  describe.skipIf(!hasChromium)('in a browser', () => {
    async function expectAnswers({ page }: Visit) {
      const growing = new GrowingMarket(demo)
      await growing.grow()
      await page.exposeFunction('grow', () => growing.grow())
      const { kalshiTicker: ticker, date } = SMALL_DEMO
      const input = { url: demo.url, key: demo.secret, ticker, date, growing: growing.ticker }
      const { total_count } = await answerOf(`/kalshi/market/data?ticker=${ticker}&date=${date}&limit=100000`)
      expect(await page.evaluate(askInPage, input)).toEqual({
        ...{ code: 'market_not_stored', count: total_count, hours: [24, true] },
        header: 'market,timestamp,ticker,price,size,side,trade_id,record',
        streams: {
          events: ['begin', 'quote 0.4', 'quote 0.41'],
          socket: ['begin', 'quote 0.41', 'quote 0.42'],
        },
      })
    }
    const answerOf = async (path: string) => (await (await demo.get(path)).json()) as { total_count: number }
    /** Returns the complaints without 404: the browser also complains about a market that is not stored. */
    const complaints = (visit: Visit) => visit.complaints.filter((each) => !each.includes('404'))

    test('a page of another origin imports the packed file', async () => {
      await using browser = await openExplorer(page.url)
      await using visit = await browser.visit('/')
      await visit.page.waitForFunction('globalThis.Client !== undefined')
      await expectAnswers(visit)
      const ofServer = /^elsewhere: (?:http|ws):\/\/127\.0\.0\.1:(\d+)\//
      const port = new URL(demo.url).port
      expect(complaints(visit).filter((each) => ofServer.exec(each)?.[1] !== port)).toEqual([])
    }, 180_000)

    test('a bundle works in a page of the server', async () => {
      const source = "import { Client } from 'backbook-client'\nObject.assign(globalThis, { Client })\n"
      await Bun.write(file('page.ts'), source)
      const { outputs } = await Bun.build({ entrypoints: [file('page.ts')], target: 'browser', format: 'iife' })
      await using browser = await openExplorer(demo.url)
      await using visit = await browser.visit('/health', { bypassCsp: true })
      await visit.page.addScriptTag({ content: await outputs[0]!.text() })
      await expectAnswers(visit)
      expect(complaints(visit)).toEqual([])
    }, 180_000)
  })

  test('the packed files need no other package', async () => {
    const installed = file('node_modules/backbook-client')
    const names = [...new Glob('**/*').scanSync(installed)]
    expect(names).toContain('api.d.ts')
    expect(names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
    for (const name of names.filter((each) => /\.(?:js|d\.ts)$/.test(each))) {
      const text = await Bun.file(join(installed, name)).text()
      const outside = Array.from(text.matchAll(/(?:from |import\()'([^'.][^']*)'/g), ([, path]) => path!)
      expect([name, outside.filter((path) => path !== '@uwdata/flechette')]).toEqual([name, []])
      if (name.endsWith('.d.ts')) expect([name, outside]).toEqual([name, []])
    }
  })
})
afterAll(() => folder[Symbol.dispose]())

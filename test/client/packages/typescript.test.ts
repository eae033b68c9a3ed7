// The package of clients/typescript as its users have it: built, packed, installed from the packed file, and used with
// plain Node against a real server. What is not on this machine is skipped aloud.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Client as ClientOfPackage } from '../../../clients/typescript/src/client.ts'
import { hasChromium, openExplorer } from '../../support/explorer/browser.ts'
import { temporaryFolder } from '../../support/server.ts'
import { SMALL_DEMO, type SmallDemo, serveSmallDemo } from './small-demo.ts'

const PROJECT = join(import.meta.dir, '../../..')
const PACKAGE = join(PROJECT, 'clients/typescript')
const isHere = ['node', 'npm'].every((name) => Bun.which(name) !== null)
const clients = isHere ? describe : describe.skip

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
let demo: SmallDemo

async function run(command: string[], { cwd = folder.path, env = {} }: { cwd?: string; env?: object } = {}) {
  const environment = { HOME: folder.path, ...demo.env, ...env }
  const child = Bun.spawn(command, { cwd, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

async function done(command: string[], cwd?: string): Promise<string> {
  const { code, out, err } = await run(command, cwd === undefined ? {} : { cwd })
  if (code !== 0) throw new Error(`${command.join(' ')} ends with ${code}: ${out}${err}`)
  return out
}

clients(`the TypeScript package${isHere ? '' : ': skipped, there is no node and npm'}`, () => {
  beforeAll(async () => {
    demo = await serveSmallDemo()
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
  })

  test('its tests pass with plain Node', async () => {
    const { code, out } = await run(['node', '--test', 'try-client.mjs', 'try-stream.mjs'])
    if (code !== 0) console.error(out)
    expect(code).toBe(0)
    expect(Number(/^# pass (\d+)$/m.exec(out)?.[1] ?? /^ℹ pass (\d+)$/m.exec(out)?.[1])).toBeGreaterThan(12)
  }, 180_000)

  test('and with Bun, which has WebSocket', async () => {
    const { code, err } = await run([process.execPath, 'test', './try-stream.mjs'])
    if (code !== 0) console.error(err)
    expect(code).toBe(0)
    expect(err).toContain('over socket')
  }, 180_000)

  const hasDeno = Bun.which('deno') !== null
  test.skipIf(!hasDeno)(
    `with Deno${hasDeno ? '' : ': skipped, it is not on the PATH'}`,
    async () => {
      const cache = { DENO_DIR: file('deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' }
      const options = ['--allow-all', '--cached-only', '--node-modules-dir=manual', '--no-check']
      for (const name of ['try-client.mjs', 'try-stream.mjs']) {
        const { code, out, err } = await run(['deno', 'test', ...options, name], { env: cache })
        if (code !== 0) console.error(out, err)
        expect([name, code]).toEqual([name, 0])
        expect(Number(/(\d+) passed/.exec(out)?.[1])).toBeGreaterThan(6)
      }
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
    // Only process is not of the package: what a program of Node has.
    await Bun.write(file('process.d.ts'), 'declare const process: { env: Record<string, string | undefined> }\n')
    const compilerOptions = { ...options, lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
    await Bun.write(file('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await done([join(PROJECT, 'node_modules/.bin/tsc'), '-p', '.', '--pretty', 'false'])
    const prints = [/^2026-07-20T00:00:00.000Z 0\.\d+ 0\.\d+\n/, /^market,timestamp,open,.*\n\d+\n$/, /delta: \d+/]
    prints.push(/^24 /, /^[\d.]+ [\d.]+\n\S{20}/, /^404 market_not_stored /)
    for (const [i, shown] of prints.entries()) {
      expect([i, await done(['node', `example-${i}.mjs`])]).toEqual([i, expect.stringMatching(shown)])
    }
  }, 180_000)

  test('what does not exist does not compile', async () => {
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

  test.skipIf(!hasChromium)(
    'a page in a browser asks, reads pages and follows a market, over events and over a socket',
    async () => {
      await Bun.write(
        file('page.ts'),
        "import { Client } from 'backbook-client'\nObject.assign(globalThis, { Client })\n",
      )
      const { outputs } = await Bun.build({ entrypoints: [file('page.ts')], target: 'browser', format: 'iife' })
      await using browser = await openExplorer(demo.url)
      await using visit = await browser.visit('/health', { bypassCsp: true })
      await visit.page.addScriptTag({ content: await outputs[0]!.text() })
      const asked = {
        url: demo.url,
        key: demo.secret,
        ticker: SMALL_DEMO.kalshiTicker,
        startMs: Date.parse(SMALL_DEMO.date),
      }
      const answers = await visit.page.evaluate(inPage, asked)
      const whole = await demo.get(`/kalshi/market/data?ticker=${asked.ticker}&date=${SMALL_DEMO.date}&limit=100000`)
      const { total_count } = (await whole.json()) as { total_count: number }
      const begins = ['begin', 'quote']
      expect(answers).toEqual({ code: 'market_not_stored', count: total_count, events: begins, socket: begins })
      expect(visit.complaints.filter((each) => !each.includes('404'))).toEqual([])
    },
    180_000,
  )

  test('what is packed needs nothing but itself', async () => {
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

type Asked = { url: string; key: string; ticker: string; startMs: number }

/** Runs in the page, which has nothing but the package. */
async function inPage({ url, key, ticker, startMs }: Asked) {
  const { Client } = globalThis as unknown as { Client: typeof ClientOfPackage }
  const client = new Client({ url, key })
  const bounds = { start_timestamp: startMs, end_timestamp: startMs + 86_399_999, limit: 700 }
  let count = 0
  for await (const _ of client.rows('/kalshi/market/data/range', { ticker, ...bounds })) count++
  const { code } = await client.get('/kalshi/market/book', { ticker: 'KXNONE' }).catch((error) => error)
  const firstOver = async (over: 'events' | 'socket') => {
    const types: string[] = []
    for await (const { type } of client.stream({ markets: [`kalshi:${ticker}`], channels: ['quotes'], over })) {
      if (types.push(type) === 2) break
    }
    return types
  }
  return { code, count, events: await firstOver('events'), socket: await firstOver('socket') }
}

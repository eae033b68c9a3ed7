// long: runs programs in other languages
// Runs the code of the guide like a reader would. Each block with a file name becomes that file, next to the types from
// the server, and runs against the demo.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { serveDemoIn } from '../support/demo.ts'
import { runInShell } from '../support/programs/program.ts'
import { pandasPython, pythonWith } from '../support/programs/python.ts'

const BLOCK = /```(?:ts|python)\n(?:\/\/|#) (\S+\.(?:ts|py))\n([\s\S]*?)```/g

let demo: Awaited<ReturnType<typeof serveDemoIn>>
const file = (name: string) => join(demo.cwd, name)

beforeAll(async () => {
  demo = await serveDemoIn()
  for (const page of new Glob('docs/**/*.md').scanSync('.')) {
    for (const [, name, code] of (await Bun.file(page).text()).matchAll(BLOCK)) await Bun.write(file(name!), code!)
  }
  await Bun.write(file('backbook.d.ts'), await demo.get('/docs/backbook.d.ts'))
  symlinkSync(join(process.cwd(), 'node_modules'), file('node_modules'))
})
afterAll(() => demo[Symbol.asyncDispose]())

async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const environment = { ...process.env, BACKBOOK_URL: demo.url, BACKBOOK_KEY: demo.secret, ...env }
  const child = Bun.spawn(command, { cwd: demo.cwd, env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, failure, code] = [await child.stdout.text(), await child.stderr.text(), await child.exited]
  expect([code, failure, code === 0 ? '' : out]).toEqual([0, '', ''])
  return out
}
const bun = (name: string) => run([process.execPath, name])

test('Eden', async () => {
  const lines = (await bun('eden.ts')).trim().split('\n')
  expect(lines).toHaveLength(24)
  expect(lines[0]).toMatch(/^2026-07-20T00:00:00\.000Z 0\.\d+ 0\.\d+$/)
})

test('records by cursor', async () => {
  const printed = await bun('records.ts')
  const counts = Array.from(printed.matchAll(/(\w+): (\d+)/g), ([, type, count]) => [type, Number(count)])
  expect(Object.keys(Object.fromEntries(counts)).sort()).toEqual(['delta', 'snapshot', 'trade'])
  expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(99_376)
})

test('an unchanged answer is not sent again', async () => {
  expect(await bun('watch.ts')).toBe('true false\n')
})

test('a big day into a file', async () => {
  const size = Number(await bun('save.ts'))
  const { data_points, data } = await Bun.file(file('day.json')).json()
  expect([size > 20_000_000, data_points, data.length]).toEqual([true, 86_400, 86_400])
})

type Step = [status: number, code: string, retryAfter?: string]

/** Calls `ask` with a server that gives `answers` in turn, then repeats the last. Returns the number of requests. */
async function refusing(answers: Step[], ask: (url: string) => Promise<void>) {
  let requestCount = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      const [status, code, retryAfter] = answers[Math.min(requestCount++, answers.length - 1)]!
      if (status === 200) return Response.json({ markets: [code] })
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      return Response.json({ code, detail: 'said so' }, { status, headers })
    },
  })
  try {
    await ask(`http://127.0.0.1:${server.port}`)
  } finally {
    await server.stop(true)
  }
  return requestCount
}

const NEXT_MONTH = '817845'
const AGAIN: Step[] = [
  [503, 'overloaded', '0'],
  [429, 'rate_limited', '0'],
  [200, 'A'],
  [404, 'market_not_stored'],
]
const QUOTA: Step[] = [[429, 'quota_exceeded', NEXT_MONTH]]

test('a client retries after 503 and a broken connection, and not after a refusal', async () => {
  const script = `import { ask, Refused } from './ask'
    console.log(JSON.stringify(await ask('kalshi/market/list', { limit: '1' })))
    await ask('kalshi/market/data', {}).catch((error) => console.log(error instanceof Refused, error.message))`
  const requestCount = await refusing(AGAIN, async (url) => {
    const printed = await run([process.execPath, '-e', script], { BACKBOOK_URL: url })
    expect(printed).toBe('{"markets":["A"]}\ntrue market_not_stored: said so\n')
  })
  expect(requestCount).toBe(4)
})

test('a used-up quota is an error at once, in TypeScript', async () => {
  const script = `import { ask } from './ask'
    await ask('kalshi/market/list', {}).catch((error) => console.log(error.code))`
  const requestCount = await refusing(QUOTA, async (url) => {
    expect(await run([process.execPath, '-e', script], { BACKBOOK_URL: url })).toBe('quota_exceeded\n')
  })
  expect(requestCount).toBe(1)
})

test('the blocks and the types from the server compile with the strict options of a project', async () => {
  const options = { strict: true, noEmit: true, skipLibCheck: false, module: 'preserve', target: 'esnext' }
  const compilerOptions = { ...options, lib: ['esnext'], types: ['bun-types'], typeRoots: ['node_modules'] }
  await Bun.write(file('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = join(process.cwd(), 'node_modules/.bin/tsc')
  const child = Bun.spawn([compiler, '-p', '.', '--pretty', 'false'], { cwd: demo.cwd, stdout: 'pipe' })
  const lines = (await child.stdout.text()).split('\n')
  // Ignores errors in the packages: Eden and Elysia have some of their own.
  expect(lines.filter((line) => /^[^\s(]+\(\d/.test(line) && !line.includes('node_modules/'))).toEqual([])
  expect(lines.filter((line) => line.includes('backbook.d.ts'))).toEqual([])
})

const shell = Bun.which('curl') && Bun.which('jq') ? test : test.skip
shell('curl, where there are curl and jq', async () => {
  const blocks = Array.from((await Bun.file('docs/clients.md').text()).matchAll(/```sh\n(curl [\s\S]*?)```/g))
  const [list, csv, day] = blocks.map(([, block]) => block!)
  expect(JSON.parse(await run(['sh', '-c', list!]))).toMatchObject({ data_count: 5, total_count: 49 })
  expect((await run(['sh', '-c', csv!])).trim().split('\n')).toHaveLength(1440)
  await run(['sh', '-c', day!])
  expect(await Bun.file(file('day.json')).json()).toMatchObject({ data_count: 99_376, has_more: false })
})

shell('curl fails at once if it would have to wait for the next month', async () => {
  const blocks = Array.from((await Bun.file('docs/clients.md').text()).matchAll(/```sh\n(curl [\s\S]*?)```/g))
  const requestCount = await refusing(QUOTA, async (url) => {
    const env = { ...process.env, BACKBOOK_URL: url, BACKBOOK_KEY: 'k' }
    const child = Bun.spawn(['sh', '-c', blocks[2]![1]!], { cwd: demo.cwd, env, stderr: 'pipe' })
    expect([await child.exited, await child.stderr.text()]).toEqual([22, expect.stringContaining('429')])
  })
  expect(requestCount).toBe(1)
})

const plainPython = pythonWith('requests')
const plainScript = plainPython === undefined ? test.skip : test
plainScript('Python retries after 503 and 429, and a used-up quota is an error at once', async () => {
  const script = `from ask import ask, Refused
print(ask("kalshi/market/list"))
try:
    ask("kalshi/market/data")
except Refused as refused:
    print(refused.code)`
  const requestCount = await refusing([...AGAIN.slice(0, 3), ...QUOTA], async (url) => {
    expect(await run([plainPython!, '-c', script], { BACKBOOK_URL: url })).toBe("{'markets': ['A']}\nquota_exceeded\n")
  })
  expect(requestCount).toBe(4)
})

const cookbook = await Bun.file('docs/cookbook/files.md').text()

const writing = () => Array.from(cookbook.matchAll(/```sh\n(backbook [\s\S]*?)```/g), ([, block]) => block!)

shell('the commands of the page about files write its files', async () => {
  const blocks = writing()
  expect(blocks).toHaveLength(2)
  for (const block of blocks) {
    const { err, exitCode } = await runInShell(block, demo.cwd)
    expect([exitCode, err.split('\n').filter((line) => !/^[\d,]+ (records|buckets) in /.test(line))]).toEqual([0, ['']])
  }
  for (const name of ['minutes.parquet', 'seconds.parquet', 'records.ndjson.gz', 'KXDEMODAY-26JUL20-T50.parquet']) {
    expect([name, await Bun.file(file(name)).exists()]).toEqual([name, true])
  }
})

let isWritten = false

/** Writes the same files as CSV for a Python that cannot read Parquet. Runs once for all scripts. */
async function writeOnce(written: (block: string) => string): Promise<void> {
  if (isWritten) return
  isWritten = true
  for (const block of writing()) await runInShell(written(block), demo.cwd)
}

/** For each file, the modules that it needs besides `requests`, and its output. `parquet` means a pandas that reads
 *  Parquet. */
const PRINTS: Record<string, [modules: string[], prints: RegExp]> = {
  'pandas_day.py': [['parquet'], /2026-07-20 02:00:00\+00:00 +0\.\d+/],
  'candles.py': [['pandas'], /2026-07-20 18:00:00\+00:00/],
  'many_days.py': [['pandas'], /^\['2026-07-20'\] 1440\n$/],
  'observed.py': [['parquet'], /^1440 \d+ 0\.0\d+\n$/],
  'deltas.py': [['pandas'], /^\d{3,} \{'no': Decimal\('-?[\d.]+'\), 'yes': Decimal/],
  'trades.py': [['parquet'], /^\d{3,} 0\.0\d+\n$/],
  'polars_day.py': [['polars'], /2026-07-20 02:00:00/],
  'candles_polars.py': [['polars'], /2026-07-20/],
  'duckdb_day.py': [['duckdb', 'pandas'], /2026-07-20 02:00:00\+00:00/],
  'duckdb_records.py': [['duckdb'], /^24 True\n$/],
  'polymarket.py': [[], /^Yes \[0\.\d+, .*\nNo \[0\.\d+, .*\n$/],
}

test('each script of the page about files is run by a test', () => {
  const names = Array.from(cookbook.matchAll(/```python\n# (\S+\.py)\n/g), ([, name]) => name!)
  expect(names.sort()).toEqual(Object.keys(PRINTS).sort())
})

/** Runs the Python files whose modules are installed on this machine. */
for (const [name, [modules, prints]] of Object.entries(PRINTS)) {
  const isParquet = modules.includes('parquet')
  const python = isParquet ? pandasPython('requests') : pythonWith('requests', ...modules)
  const script = python === undefined ? test.skip : test
  script(`${name}${python === undefined ? `: skipped, no python3 has ${modules.join(', ')}` : ''}`, async () => {
    if (typeof python !== 'object') return expect(await run([python!, name])).toMatch(prints)
    if (python.prelude !== '') await writeOnce(python.written)
    const code = python.prelude + (await Bun.file(file(name)).text())
    expect(await run([python.python, '-c', code])).toMatch(prints)
  })
}

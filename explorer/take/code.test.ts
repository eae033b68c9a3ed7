// long: runs programs in other languages as their readers run them
// The copied code runs unchanged against a server, and returns the rows shown.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isPresent } from '../../test/run/missing.ts'
import { DEMO, type ServedDemo, serveDemo } from '../../test/support/demo.ts'
import { temporaryFolder } from '../../test/support/server.ts'
import { codeOf, type Language } from './code.ts'
import { type FORMATS, fileName, type Shown, takesOf } from './requests.ts'

const FROM = Date.parse(`${DEMO.date}T12:00:00Z`)
const BOOKS = [
  { venue: 'kalshi', market: DEMO.kalshiTicker, asset: null },
  { venue: 'polymarket', market: DEMO.conditionId, asset: DEMO.assetIds[0] },
] as const
const shownOf = (book: Shown['book']): Shown => ({
  book,
  span: { fromMs: FROM, toMs: FROM + 120_000 },
  stretch: { atMs: FROM + 1_000, record: null, aggregate: 'max', hidesFuture: false },
  detail: { resolutionMs: 1_000, bucketMs: 1_000, priceStep: 0.001 },
})

type Take = ReturnType<typeof takesOf>[number]
type Format = (typeof FORMATS)[number]
type Row = Record<string, unknown>

/** Python code that runs each copied program, and prints the rows of its frame as JSON. */
const FRAMES = `
import contextlib, json, sys
import pandas as pd
def told(value):
    if isinstance(value, pd.Timestamp): return int(value.value // 1_000_000)
    return value.tolist() if hasattr(value, "tolist") else str(value)
frames = []
for text in json.load(open("asked.json")):
    scope = {}
    with contextlib.redirect_stdout(sys.stderr): exec(text, scope)
    if "frame" in scope: frames.append(scope["frame"].to_dict(orient="records"))
    else: frames.append([{side: scope[side].values.tolist() for side in ("bids", "asks")}])
print(json.dumps(frames, default=told).replace("NaN", "null"))
`

const hasModules = (python: string, modules: string): boolean =>
  Bun.which(python) !== null && Bun.spawnSync([python, '-c', `import ${modules}`]).success

/** Leaves out null and empty values, joins nested names with dots, and converts printed numbers and booleans. */
function plain(row: Row): Row {
  const entries = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === '') return []
    if (typeof value === 'object' && !Array.isArray(value)) {
      return Object.entries(plain(value as Row)).map(([inner, each]) => [`${name}.${inner}`, each])
    }
    const isPrinted = typeof value === 'string' && /^(?:true|false|-?\d{1,17}(?:\.\d+)?)$/.test(value)
    return [[name, isPrinted ? JSON.parse(value) : value]]
  })
  return Object.fromEntries(entries)
}

describe('copied code', () => {
  let demo: ServedDemo
  const folder = temporaryFolder()
  beforeAll(async () => {
    demo = await serveDemo()
    await Bun.write(join(folder.path, 'package.json'), '{"type":"module"}')
    Bun.spawnSync(['ln', '-s', join(import.meta.dir, '../../node_modules'), join(folder.path, 'node_modules')])
  })
  afterAll(async () => {
    await demo[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const run = async (command: string[]) => {
    const env = { ...process.env, BACKBOOK_KEY: demo.secret }
    const child = Bun.spawn(command, { cwd: folder.path, env, stdout: 'pipe', stderr: 'pipe' })
    const [text, said, code] = [
      await new Response(child.stdout).text(),
      await new Response(child.stderr).text(),
      await child.exited,
    ]
    if (code !== 0) throw new Error(`${command.at(-1)} ended with ${code}: ${said}`)
    return text
  }
  const code = (language: Language, shown: Shown, take: Take, format: Format) =>
    codeOf(language, { origin: demo.url, take, format, file: fileName(shown, take, format) })

  async function expectPython(programs: string[]): Promise<void> {
    await Bun.write(join(folder.path, 'all.json'), JSON.stringify(programs))
    const check = 'import ast, json\nfor text in json.load(open("all.json")): ast.parse(text)\nprint("read")'
    expect(await run(['python3', '-c', check])).toBe('read\n')
  }

  test('as curl it writes each answer to its file', async () => {
    for (const book of BOOKS) {
      const shown = shownOf(book)
      for (const take of takesOf(shown)) {
        const format = take.formats[0]!
        await run(['sh', '-c', code('curl', shown, take, format)])
        const text = await Bun.file(join(folder.path, fileName(shown, take, format))).text()
        expect([take.name, text.length > 100]).toEqual([take.name, true])
        if (take.name === 'prices') expect(text.split('\n')[1]).toContain(String(FROM))
      }
    }
  })

  test('as TypeScript it prints rows of each', async () => {
    for (const take of takesOf(shownOf(BOOKS[0]))) {
      await Bun.write(join(folder.path, 'take.ts'), code('typescript', shownOf(BOOKS[0]), take, 'json'))
      expect([take.name, (await run([process.execPath, 'take.ts'])).length > 50]).toEqual([take.name, true])
    }
  })

  test('as Python it parses, for every request and format', async () => {
    const shown = shownOf(BOOKS[1])
    const all = takesOf(shown).flatMap((take) => take.formats.map((format) => code('python', shown, take, format)))
    expect(all.length).toBeGreaterThan(25)
    await expectPython(all)
  })

  test.each(['requests, pandas', 'requests, pandas, pyarrow'])(
    'as Python with %s it has the rows of the answer',
    async (needed) => {
      const isArrow = needed.includes('pyarrow')
      const python = ['/usr/bin/python3', 'python3'].find((each) => hasModules(each, needed))
      isPresent(python !== undefined, `Python with ${needed}`)
      if (python === undefined) return
      for (const book of BOOKS) {
        const shown = shownOf(book)
        const requested = takesOf(shown).flatMap((take) => {
          const formats = take.formats.filter((each) => isArrow === (each === 'parquet' || each === 'arrow'))
          return formats.map((format) => ({ take, format, text: code('python', shown, take, format) }))
        })
        await Bun.write(join(folder.path, 'asked.json'), JSON.stringify(requested.map(({ text }) => text)))
        const frames = JSON.parse(await run([python, '-c', FRAMES])) as Row[][]
        expect(frames.length).toBe(requested.length)
        for (const [i, { take, format }] of requested.entries()) {
          const rows = await rowsOf(take, format)
          expect(rows.length).toBeGreaterThan(0)
          expect({ take: take.name, format, rows: frames[i]!.map(plain) }).toEqual({ take: take.name, format, rows })
        }
      }
    },
  )

  /** Returns the rows of the API's answer, read without pandas. Reads NDJSON in place of Parquet and Arrow. */
  async function rowsOf(take: Take, format: Format): Promise<Row[]> {
    const lines = format === 'parquet' || format === 'arrow' ? 'ndjson' : format
    const named = take.name === 'book' ? {} : { format: lines }
    const query = new URLSearchParams({ ...take.query, ...named } as Record<string, string>)
    const answer = await demo.get(`${take.path}?${query}`)
    const text = await answer.text()
    expect([take.name, lines, answer.status]).toEqual([take.name, lines, 200])
    if (take.name === 'book') return [{ bids: JSON.parse(text).bids, asks: JSON.parse(text).asks }]
    if (lines === 'json') return (JSON.parse(text) as { data: Row[] }).data.map(plain)
    const [first = '', ...rest] = text.split('\n').filter((line) => line !== '')
    if (lines === 'ndjson') return [first, ...rest].map((line) => plain(JSON.parse(line) as Row))
    const names = first.split(',')
    return rest.map((line) => plain(Object.fromEntries(line.split(',').map((cell, i) => [names[i]!, cell]))))
  }

  test('does not run a market name that is a command', async () => {
    const hostile = shownOf({
      venue: 'kalshi',
      market: 'A\'; touch owned; $(touch owned) `touch owned`"\\\n',
      asset: null,
    })
    const takes = takesOf(hostile).map((take) => [take, take.formats[0]!] as const)
    const commands = takes.map(([take, format]) => code('curl', hostile, take, format))
    await run(['sh', '-c', commands.map((command) => `(${command}) || true`).join('\n')])
    await expectPython(takes.map(([take, format]) => code('python', hostile, take, format)))
    for (const [take, format] of takes)
      new Bun.Transpiler({ loader: 'ts' }).scan(code('typescript', hostile, take, format))
    expect(await Bun.file(join(folder.path, 'owned')).exists()).toBe(false)
  })
})

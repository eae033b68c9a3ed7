// The code that is copied runs as it stands against a server, and gives the rows that are shown.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { codeOf, type Language } from '../../../explorer/take/code.ts'
import { type FORMATS, fileName, type Shown, takesOf } from '../../../explorer/take/requests.ts'
import { DEMO, type ServedDemo, serveDemo } from '../../support/demo.ts'
import { temporaryFolder } from '../../support/server.ts'

const FROM = Date.parse(`${DEMO.date}T12:00:00Z`)
const BOOKS = [
  { venue: 'kalshi', market: DEMO.kalshiTicker, asset: null },
  { venue: 'polymarket', market: DEMO.conditionId, asset: DEMO.assetIds[0] },
] as const
const shownOf = (book: Shown['book']): Shown => ({
  book,
  span: { fromMs: FROM, toMs: FROM + 600_000 },
  stretch: { atMs: FROM + 1_000, record: null, aggregate: 'max' },
  detail: { resolutionMs: 1_000, bucketMs: 1_000, priceStep: 0.001 },
})

describe('copied code', () => {
  let demo: ServedDemo
  const folder = temporaryFolder()
  beforeAll(async () => {
    demo = await serveDemo({ kind: 'memory' })
    await Bun.write(join(folder.path, 'package.json'), '{"type":"module"}')
    Bun.spawnSync(['ln', '-s', join(import.meta.dir, '../../../node_modules'), join(folder.path, 'node_modules')])
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
  const code = (
    language: Language,
    shown: Shown,
    take: ReturnType<typeof takesOf>[number],
    format: (typeof FORMATS)[number],
  ) => codeOf(language, { origin: demo.url, take, format, file: fileName(shown, take, format) })

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

  test('as Python it is Python, for every question and format', async () => {
    const shown = shownOf(BOOKS[1])
    const all = takesOf(shown).flatMap((take) => take.formats.map((format) => code('python', shown, take, format)))
    expect(all.length).toBeGreaterThan(25)
    await Bun.write(join(folder.path, 'all.json'), JSON.stringify(all))
    const check = 'import ast, json\nfor text in json.load(open("all.json")): ast.parse(text)\nprint("read")'
    expect(await run(['python3', '-c', check])).toBe('read\n')
  })

  test('a market whose name is a command stays a name', async () => {
    const hostile = shownOf({
      venue: 'kalshi',
      market: 'A\'; touch owned; $(touch owned) `touch owned`"\\\n',
      asset: null,
    })
    for (const take of takesOf(hostile)) {
      const format = take.formats[0]!
      await run(['sh', '-c', `${code('curl', hostile, take, format)} || true`])
      await Bun.write(join(folder.path, 'hostile.json'), JSON.stringify(code('python', hostile, take, format)))
      await run(['python3', '-c', 'import ast, json\nast.parse(json.load(open("hostile.json")))'])
      new Bun.Transpiler({ loader: 'ts' }).scan(code('typescript', hostile, take, format))
    }
    expect(await Bun.file(join(folder.path, 'owned')).exists()).toBe(false)
  })
})

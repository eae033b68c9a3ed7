// long: runs programs in other languages
// Runs the pages of the cookbook like a reader would. The requests write their files, and the code prints the shown
// output.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import { type ServedDemo, serveDemo } from '../support/demo.ts'
import { pandasPython, pythonWith } from '../support/programs/python.ts'
import { temporaryFolder } from '../support/server.ts'

const COOKBOOK = join(import.meta.dir, '../../docs/cookbook')
const CODE_LINES_MAX = 10
/** The table of contents, and pages that have their own tests. */
const OTHERS = ['README.md', 'files.md', 'nautilus.md', 'hftbacktest.md']
const pages = [...new Glob('*.md').scanSync(COOKBOOK)].filter((name) => !OTHERS.includes(name)).sort()
const textOf = (name: string) => Bun.file(join(COOKBOOK, name)).text()

let demo: ServedDemo
const folder = temporaryFolder()
beforeAll(async () => {
  demo = await serveDemo()
})
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function run(command: string[]): Promise<string> {
  const env = { ...process.env, BACKBOOK_URL: demo.url, BACKBOOK_KEY: demo.secret }
  const child = Bun.spawn(command, { cwd: folder.path, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = [await child.stdout.text(), await child.stderr.text(), await child.exited]
  expect([code, err]).toEqual([0, ''])
  return out
}

async function partsOf(name: string) {
  const text = await textOf(name)
  const parts = text.match(/```sh\n([\s\S]*?)```\n\n```python\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/)
  if (parts === null) throw new Error(`${name} has no request, code and what that prints`)
  const [, requests, code, prints] = parts as unknown as [string, string, string, string]
  return { requests, code, prints, files: Array.from(requests.matchAll(/ -o (\S+)/g), ([, file]) => file!) }
}

test('the contents name every page, by its own title', async () => {
  const contents = await textOf('README.md')
  for (const name of [...pages, ...OTHERS.slice(1)]) {
    const title = (await textOf(name)).split('\n')[0]!.replace('# ', '')
    expect(contents).toContain(`| [${title}](${name}) |`)
  }
})

describe.each(pages)('%s', (name) => {
  test('has one or two requests and a few lines of code', async () => {
    const { requests, code } = await partsOf(name)
    expect(requests.match(/\bcurl /g)!.length).toBeLessThanOrEqual(2)
    const lines = code.split('\n').filter((line) => line !== '' && !/^(?:#|import )/.test(line))
    expect(lines.length).toBeLessThanOrEqual(CODE_LINES_MAX)
  })

  const curl = Bun.which('curl') && Bun.which('jq') ? test : test.skip
  curl('each request has an answer with rows, and the code prints what is shown', async () => {
    const { requests, code, prints, files } = await partsOf(name)
    await run(['bash', '-c', requests])
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect([file, (await rowsOf(join(folder.path, file))) > 0]).toEqual([file, true])
    const modules = Array.from(code.matchAll(/^import (\S+)/gm), ([, module]) => module!)
    const found = modules.includes('pandas') ? pandasPython(...modules) : otherPython(modules)
    if (found === undefined) return console.log(`${name}: the code is skipped, no python3 has ${modules.join(', ')}`)
    if (found.prelude !== '') await run(['bash', '-c', found.written(requests)])
    expect(wordsOf(await run([found.python, '-c', found.prelude + code]))).toEqual(wordsOf(prints))
  })
})

async function rowsOf(path: string): Promise<number> {
  if (path.endsWith('.json')) return (await Bun.file(path).json()).markets.length
  return Number((await parquetMetadataAsync(await asyncBufferFromFile(path))).num_rows)
}

/** Returns the words of an output, without the alignment of columns and the lines of tables: these depend on the
 *  version of a library. */
const wordsOf = (text: string) => text.split(/[\s─-╿]+/).filter((word) => word !== '')

function otherPython(modules: string[]) {
  const python = pythonWith(...modules)
  return python === undefined ? undefined : { python, prelude: '', written: (request: string) => request }
}

// long: runs programs in other languages
// Runs the cookbook pages about backtesters like a reader would. The command writes the files. The code runs if its
// libraries are installed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { serveDemoIn } from '../support/demo.ts'
import { runInShell } from '../support/programs/program.ts'
import { pythonWith } from '../support/programs/python.ts'

const COOKBOOK = join(import.meta.dir, '../../docs/cookbook')
const CODE = /```python\n# (\S+)\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g

let demo: Awaited<ReturnType<typeof serveDemoIn>>
beforeAll(async () => {
  demo = await serveDemoIn()
})
afterAll(() => demo[Symbol.asyncDispose]())

describe.each(['nautilus.md', 'hftbacktest.md'])('%s', async (name) => {
  const text = await Bun.file(join(COOKBOOK, name)).text()

  test('the command writes its files', async () => {
    const [command] = Array.from(text.matchAll(/```sh\n(backbook [\s\S]*?)```/g), ([, block]) => block!)
    const { exitCode, err } = await runInShell(command!, demo.cwd)
    expect([exitCode, err.split('\n')[0]]).toEqual([0, expect.stringMatching(/^[\d,]+ rows in \d files /)])
  })

  const blocks = Array.from(text.matchAll(CODE))
  for (const [, file, code, prints] of blocks) {
    const modules = [...new Set(Array.from(code!.matchAll(/^(?:from|import) (\w+)/gm), ([, module]) => module!))]
    const python = pythonWith(...modules)
    const script = python === undefined ? test.skip : test
    script(`${file}${python === undefined ? `: skipped, no python3 has ${modules.join(', ')}` : ''}`, async () => {
      await Bun.write(join(demo.cwd, file!), code!)
      const child = Bun.spawn([python!, file!], { cwd: demo.cwd, stdout: 'pipe', stderr: 'pipe' })
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
      expect([await child.exited, err.includes('Traceback')]).toEqual([0, false])
      if (prints !== undefined) expect(out).toBe(prints)
    })
  }
})

// long: whole days go through several formats
// Runs the page about exports like a reader would. Each command and the code print the shown output.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { serveDemoIn } from '../support/demo.ts'
import { runInShell } from '../support/programs/program.ts'
import { pythonWith } from '../support/programs/python.ts'

const PAGE = join(import.meta.dir, '../../docs/exports.md')
const CODE = /```python\n# (\S+)\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g

let demo: Awaited<ReturnType<typeof serveDemoIn>>
beforeAll(async () => {
  demo = await serveDemoIn()
})
afterAll(() => demo[Symbol.asyncDispose]())

type Shown = { command: string; output: string }

async function consoles(): Promise<Shown[]> {
  const blocks = Array.from((await Bun.file(PAGE).text()).matchAll(/```console\n([\s\S]*?)```/g), ([, text]) => text!)
  return blocks.flatMap((text) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n')
        return { command: part.slice(0, end), output: part.slice(end + 1) }
      }),
  )
}

test('each command prints the shown output', async () => {
  const shown = await consoles()
  expect(shown.length).toBeGreaterThan(3)
  for (const { command, output } of shown) {
    const { out, err, exitCode } = await runInShell(command, demo.cwd)
    expect([command, exitCode, err + out]).toEqual([command, 0, output])
  }
}, 60_000)

test('the code prints the shown output', async () => {
  const python = pythonWith('numpy')
  if (python === undefined) return console.log('the code is skipped, no python3 has numpy')
  const examples = Array.from((await Bun.file(PAGE).text()).matchAll(CODE))
  expect(examples.length).toBeGreaterThan(0)
  for (const [, name, code, prints] of examples) {
    await Bun.write(join(demo.cwd, name!), code!)
    const { stdout, stderr } = Bun.spawnSync([python, name!], { cwd: demo.cwd })
    expect([stderr.toString(), stdout.toString()]).toEqual(['', prints!])
  }
})

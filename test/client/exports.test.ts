// The page on exports, run as a reader would: each command says what is shown, and the code prints it.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type ServedDemo, serveDemo } from '../support/demo.ts'
import { runInShell } from '../support/programs/program.ts'
import { pythonWith } from '../support/programs/python.ts'
import { temporaryFolder } from '../support/server.ts'

const PAGE = join(import.meta.dir, '../../docs/exports.md')
const CODE = /```python\n# (\S+)\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g

let demo: ServedDemo
const folder = temporaryFolder()
beforeAll(async () => {
  demo = await serveDemo()
  mkdirSync(join(folder.path, 'data'))
  symlinkSync(demo.folder, join(folder.path, 'data/demo'))
})
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

type Shown = { command: string; says: string }

async function consoles(): Promise<Shown[]> {
  const blocks = Array.from((await Bun.file(PAGE).text()).matchAll(/```console\n([\s\S]*?)```/g), ([, text]) => text!)
  return blocks.flatMap((text) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n')
        return { command: part.slice(0, end), says: part.slice(end + 1) }
      }),
  )
}

test('each command says what is shown', async () => {
  const shown = await consoles()
  expect(shown.length).toBeGreaterThan(3)
  for (const { command, says } of shown) {
    const { out, err, exitCode } = await runInShell(command, folder.path)
    expect([command, exitCode, err + out]).toEqual([command, 0, says])
  }
}, 60_000)

test('the code prints what is shown', async () => {
  const python = pythonWith('numpy')
  if (python === undefined) return console.log('the code is skipped, no python3 has numpy')
  const examples = Array.from((await Bun.file(PAGE).text()).matchAll(CODE))
  expect(examples.length).toBeGreaterThan(0)
  for (const [, name, code, prints] of examples) {
    await Bun.write(join(folder.path, name!), code!)
    const { stdout, stderr } = Bun.spawnSync([python, name!], { cwd: folder.path })
    expect([stderr.toString(), stdout.toString()]).toEqual(['', prints!])
  }
})

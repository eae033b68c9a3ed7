// Runs the examples of docs/replay.md against the demo, exactly as written.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ServedDemo, serveDemo } from '../support/demo.ts'
import { temporaryFolder } from '../support/server.ts'

const guide = await Bun.file('docs/replay.md').text()
const blockOf = (language: string, index = 0) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][index]![1]!

const folder = temporaryFolder()
let demo: ServedDemo
beforeAll(async () => {
  demo = await serveDemo()
  await Bun.write(join(folder.path, 'replay.ts'), blockOf('ts'))
})
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function inShell(script: string): Promise<string> {
  const env = { ...process.env, BACKBOOK_URL: demo.url, BACKBOOK_KEY: demo.secret }
  const command = ['bash', '-c', script.replace(/^bun /m, `${process.execPath} `)]
  const child = Bun.spawn(command, { cwd: folder.path, env, stdout: 'pipe', stderr: 'inherit' })
  return child.stdout.text()
}

test('a program for Kalshi runs on history, and prints the shown output', async () => {
  const printed = (await inShell(blockOf('sh'))).trim().split('\n')
  const shown = blockOf('console').trim().split('\n')
  const cut = shown.indexOf('…')
  expect([...printed.slice(0, cut), '…', ...printed.slice(cut + 1 - shown.length)]).toEqual(shown)
}, 30_000)

const curl = Bun.which('curl') ? test : test.skip
curl(
  'records as server-sent events',
  async () => {
    const events = (await inShell(blockOf('sh', 1))).trim().split('\n\n')
    expect(events[0]).toBe(': connected')
    expect(events[1]).toMatch(/^id: \d+\.1\ndata: \{"venue":"kalshi","market":"KXDEMODAY-26JUL20-T50","type":"/)
    expect(events.at(-1)).toBe('event: close\ndata: {"code":1000,"reason":"the replay has ended"}')
  },
  30_000,
)

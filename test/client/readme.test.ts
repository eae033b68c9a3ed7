// long: runs programs in other languages
// Runs what a new user types: the demo, the lines that the demo prints, and the request of the README.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasChromium, openExplorer } from '../support/explorer/browser.ts'
import { runBackbook } from '../support/programs/program.ts'
import { temporaryFolder } from '../support/server.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const folder = temporaryFolder()
const data = join(folder.path, 'data/demo')
const demo = Bun.spawn([process.execPath, MAIN, 'demo', '--port', '0'], {
  cwd: folder.path,
  env: { PATH: process.env['PATH'] ?? '', WORKER_THREADS: '1' },
  stdout: 'pipe',
  stderr: 'pipe',
})
let printed = ''

beforeAll(async () => {
  const decoder = new TextDecoder()
  for await (const bytes of demo.stdout as ReadableStream<Uint8Array>) {
    printed += decoder.decode(bytes, { stream: true })
    if (printed.includes('Ctrl-C ends the demo.')) break
  }
}, 300_000)
afterAll(async () => {
  demo.kill('SIGTERM')
  await demo.exited
  folder[Symbol.dispose]()
})

/** Runs lines as in a new terminal: the environment has only PATH. */
async function pasted(...lines: string[]): Promise<string> {
  const child = Bun.spawn(['sh', '-c', lines.join('\n')], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdout: 'pipe',
  })
  return child.stdout.text()
}

const exported = () => printed.split('\n').filter((line) => line.startsWith('export '))

test('each line that the demo prints works', async () => {
  const lines = printed.split('\n').filter((line) => line.startsWith('curl -s '))
  expect(lines).toHaveLength(6)
  for (const line of lines) expect([line, (await pasted(line)).slice(0, 20)]).not.toEqual([line, ''])
  for (const line of lines) expect(JSON.parse(await pasted(line))).not.toHaveProperty('code')
})

test.skipIf(!hasChromium)(
  'the link that the demo prints opens its market, and no address has the key',
  async () => {
    const [, url, path, secret] = /^(http:\/\/[^/]+)(\/explore\/\S+#key=(\S+))$/m.exec(printed)!
    await using explorer = await openExplorer(url!)
    await using visit = await explorer.visit(path!)
    const { page, complaints } = visit
    await page.locator('.ladder time', { hasText: '12:00:00.000' }).waitFor()
    expect(page.url()).not.toContain(secret!)
    expect(complaints).toEqual([])
  },
  60_000,
)

test('the line that follows today shows quotes as they happen', async () => {
  const [line] = printed.split('\n').filter((each) => each.startsWith('curl -sN '))
  const child = Bun.spawn(['sh', '-c', `exec ${line!}`], { stdout: 'pipe' })
  let shown = ''
  for await (const bytes of child.stdout) {
    shown += new TextDecoder().decode(bytes)
    if (shown.includes('"type":"quote"')) break
  }
  child.kill()
  expect(shown).toMatch(/^data: .*"type":"begin","date":(?:null|"\d{4}-\d\d-\d\d").*$/m)
  const [, quote] = /^data: (.*"type":"quote".*)$/m.exec(shown)!
  const { timestamp, market } = JSON.parse(quote!) as { timestamp: number; market: string }
  expect(market).toMatch(/^KXDEMODAY-/)
  // The demo plays a day that began earlier, and sends no record ahead of the clock.
  expect(timestamp).toBeLessThanOrEqual(Date.now())
}, 120_000)

test('the request of the README returns the answer of the README', async () => {
  const readme = await Bun.file('README.md').text()
  const [, question] = /```sh\n(curl [\s\S]*?)```/.exec(readme)!
  const [, answer] = /```json\n([\s\S]*?)```/.exec(readme)!
  expect(exported().map((line) => line.replace(/=.*/, ''))).toEqual(['export BACKBOOK_URL', 'export BACKBOOK_KEY'])
  const given = await pasted(...exported(), question!)
  // The README shows the answer up to the first "…".
  expect(given).toStartWith(answer!.split(' …')[0]!.replaceAll(/\n */g, '').replace(/,$/, ''))
})

test('coverage returns the gaps that the README shows', async () => {
  const readme = await Bun.file('README.md').text()
  const [, words] = /- \*\*Honest about gaps\.\*\* ([\s\S]*?)\n- /.exec(readme)!
  const names = Array.from(words!.matchAll(/`(\w+)`/g), ([, name]) => name!)
  expect(names.length).toBeGreaterThan(2)
  const path = '/api/v1/kalshi/market/coverage?ticker=KXDEMODAY-26JUL20-T50'
  const coverage = await pasted(
    ...exported(),
    `curl -s -H "Authorization: Bearer $BACKBOOK_KEY" "$BACKBOOK_URL${path}"`,
  )
  for (const name of names) expect(coverage).toContain(`"${name}":`)
})

test('only their owner can open the folders of the demo', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777
  expect([modeOf(join(folder.path, 'data')), modeOf(data), modeOf(join(data, 'captures'))]).toEqual([
    0o700, 0o700, 0o700,
  ])
  expect(modeOf(join(data, 'captures/event.json'))).toBe(0o600)
})

test('a port in use is an error before any file is made', async () => {
  const port = /export BACKBOOK_URL=.*:(\d+)/.exec(printed)![1]!
  const { out, err, exitCode } = await runBackbook(['demo', '--data', 'other', '--port', port], { cwd: folder.path })
  const error = `backbook: cannot listen on 127.0.0.1 port ${port}: another program uses it; name another with --port, `
  expect([out, err, exitCode]).toEqual(['', `${error}0 for any free one\n`, 1])
  expect(existsSync(join(folder.path, 'other'))).toBe(false)
})

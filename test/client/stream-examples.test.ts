// The programs of docs/stream.md, run exactly as written, follow a market that grows.

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { capture, kalshiDelta, kalshiSnapshot, NOON, TICKER } from '../model/lines.ts'
import { serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'
import { TestStore } from '../support/store.ts'

const folder = temporaryFolder()
const file = (name: string) => join(folder.path, name)
const page = await Bun.file('docs/stream.md').text()
for (const [, name, code] of page.matchAll(/```(?:ts|python)\n(?:\/\/|#) (\S+\.(?:ts|py))\n([\s\S]*?)```/g)) {
  await Bun.write(file(name!), code!)
}
afterAll(() => folder[Symbol.dispose]())

const python = ['/usr/bin/python3', 'python3'].find((each) => Bun.which(each) !== null)
const hasSockets = python !== undefined && Bun.spawnSync([python, '-c', 'import websockets']).success
const [, curl] = /```sh\n(curl [\s\S]*?)```/.exec(page)!

const follows: [name: string, command: string[] | undefined, shows: RegExp[]][] = [
  ['follow.ts', [process.execPath, 'follow.ts'], [/^0.4 0.7$/m, /^0.45 0.7$/m]],
  ['follow.py', python === undefined ? undefined : [python, 'follow.py'], [/^0.4 0.7$/m, /^0.45 0.7$/m]],
  ['follow_socket.py', hasSockets ? [python!, 'follow_socket.py'] : undefined, [/^0.4 0.7$/m, /^0.45 0.7$/m]],
  ['curl', Bun.which('curl') === null ? undefined : ['sh', '-c', curl!], [/"best_bid":0.4,/, /"best_bid":0.45,/]],
]

for (const [name, command, shows] of follows) {
  const run = command === undefined ? test.skip : test
  run(
    `${name}${command === undefined ? ': skipped, a program or library is missing' : ''}`,
    async () => {
      const written = new TestStore()
      const BOOK = kalshiSnapshot([['0.40', '5.00']], [['0.30', '5.00']])
      await written.loadLines('a', [JSON.stringify({ recv_ms: NOON, event: BOOK })])
      await using server = await serveProcess(written.folder)
      const ticker = `kalshi:${TICKER}`
      const text = command!.map((word) => word.replace('kalshi:KXDEMODAY-26JUL20-T50', ticker))
      const key = await keyOf(written.folder)
      const child = Bun.spawn(name === 'curl' ? text : [...text, ticker], {
        cwd: folder.path,
        env: { PATH: process.env['PATH'] ?? '', BACKBOOK_URL: server.url, BACKBOOK_KEY: key },
        stdout: 'pipe',
        stderr: 'inherit',
      })
      const printed = new Printed(child.stdout)
      await printed.shows(shows[0]!)
      await written.loadLines('b', capture(kalshiDelta(10, '0.45', '1.00')).split('\n'))
      await printed.shows(shows[1]!)
      child.kill()
      await child.exited
      await written.close()
    },
    30_000,
  )
}

async function keyOf(data: string): Promise<string> {
  const options = ['--data', data, '--user', 'ann', '--name', 'test', '--json']
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'keys', 'create', ...options], { stdout: 'pipe' })
  return ((await child.stdout.json()) as { api_key: string }).api_key
}

class Printed {
  readonly #reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> }
  #text = ''

  constructor(output: ReadableStream<Uint8Array>) {
    this.#reader = output.getReader()
  }

  async shows(wanted: RegExp): Promise<void> {
    while (!wanted.test(this.#text)) {
      const { done, value } = await this.#reader.read()
      if (done) break
      this.#text += new TextDecoder().decode(value)
    }
    expect(this.#text).toMatch(wanted)
  }
}

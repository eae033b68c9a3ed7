// A separate process that answers queries about damaged stores: it may neither end nor hang.

import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Testimony } from './questions.ts'

const HANGS_MS = 60_000

export class Witness {
  readonly #questions: string
  #process: Bun.Subprocess<'pipe', 'pipe', 'pipe'> | undefined
  #lines: AsyncIterator<string> | undefined

  constructor(questions: string) {
    this.#questions = questions
  }

  /** About a store that is damaged. */
  async ask(folder: string): Promise<Testimony> {
    return (await this.#tell(folder)) as Testimony
  }

  async #tell(folder: string): Promise<unknown> {
    if (this.#process === undefined) this.#start()
    const child = this.#process!
    child.stdin.write(`${JSON.stringify(folder)}\n`)
    await child.stdin.flush()
    const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_MS)
    const { done, value } = await this.#lines!.next()
    clearTimeout(timer)
    if (!done) return JSON.parse(value)
    this.#process = undefined
    await child.exited
    const said = (await new Response(child.stderr).text()).slice(-2_000)
    assert.fail(`the process ended with ${child.signalCode ?? child.exitCode}: ${said}`)
  }

  async close(): Promise<void> {
    this.#process?.stdin.end()
    await this.#process?.exited
  }

  #start(): void {
    const command = [process.execPath, new URL('witness.ts', import.meta.url).pathname, this.#questions]
    const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
    this.#process = child
    this.#lines = createInterface({ input: Readable.fromWeb(child.stdout as never) })[Symbol.asyncIterator]()
  }
}

// A separate process that answers queries about damaged stores. It may crash, which counts as a finding. It may not
// hang, nor crash after it found no damage.

import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { StoreAnswers } from './questions.ts'

const HANGS_MS = 60_000
const CRASHES: readonly unknown[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']

/** How the witness ended without an answer: before it had verified the store, or after it found `damage`. */
export type Crash = { signal: string; damage: string[] | null }

export class Witness {
  readonly #questions: string
  #process: Bun.Subprocess<'pipe', 'pipe', 'pipe'> | undefined
  #lines: AsyncIterator<string> | undefined

  constructor(questions: string) {
    this.#questions = questions
  }

  /** Queries the damaged store in a folder. */
  async ask(folder: string): Promise<StoreAnswers | Crash> {
    if (this.#process === undefined) this.#start()
    const child = this.#process!
    child.stdin.write(`${JSON.stringify(folder)}\n`)
    await child.stdin.flush()
    const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_MS)
    const verified = await this.#lines!.next()
    const answered = verified.done === true ? verified : await this.#lines!.next()
    clearTimeout(timer)
    if (answered.done !== true) return JSON.parse(answered.value)
    this.#process = undefined
    await child.exited
    const errorText = (await new Response(child.stderr).text()).slice(-2_000)
    assert(
      CRASHES.includes(child.signalCode),
      `the process ended with ${child.signalCode ?? child.exitCode}: ${errorText}`,
    )
    return { signal: String(child.signalCode), damage: verified.done === true ? null : JSON.parse(verified.value) }
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

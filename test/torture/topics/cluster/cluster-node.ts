// Runs `backbook serve` on a cluster as a separate process, and reads what its clients get.

import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')

export type Answer = { status: number; text: string; code: string; retryAfter: string | null; ms: number }

export class ClusterNode {
  readonly port: number
  readonly folder: string
  readonly #child: Bun.Subprocess
  readonly #secret: string
  /** Resolves to the whole log, once the process has ended. */
  readonly log: Promise<string>

  private constructor(
    child: Bun.Subprocess,
    at: { port: number; folder: string; secret: string; log: Promise<string> },
  ) {
    this.#child = child
    this.port = at.port
    this.folder = at.folder
    this.#secret = at.secret
    this.log = at.log
  }

  static async start(options: StartOptions): Promise<ClusterNode> {
    const { folder, secret, env, port = 0, before = [] } = options
    const command = [...before, process.execPath, MAIN, 'serve', '--data', folder, '--port', String(port)]
    const settings = { WORKER_THREADS: '1', LOG_LEVEL: 'error', ...env }
    const environment = { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '/tmp', ...settings }
    const child = Bun.spawn(command, { env: environment, stdout: 'pipe', stderr: 'pipe' })
    const log = child.stderr.text()
    let out = ''
    for await (const bytes of child.stdout) {
      out += new TextDecoder().decode(bytes)
      if (out.includes('\n')) break
    }
    const url = /http:\S+/.exec(out)?.[0]
    if (url === undefined) throw new Error(`a node did not start: ${await log}`)
    return new ClusterNode(child, { port: Number(new URL(url).port), folder, secret, log })
  }

  get pid(): number {
    return this.#child.pid
  }

  get(path: string, port = this.port): Promise<Answer> {
    return ask(`http://127.0.0.1:${port}${path}`, this.#secret)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#child.exited
  }

  /** Stops the process. Throws if it has ended by itself, or if its exit code is not 0. */
  async stop(): Promise<void> {
    const hadEnded = this.#child.exitCode ?? this.#child.signalCode
    this.#child.kill('SIGTERM')
    const code = await this.#child.exited
    if (hadEnded !== null || code !== 0) throw new Error(`a node ended: ${hadEnded ?? code}\n${await this.log}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}

export type StartOptions = {
  folder: string
  secret: string
  env: Record<string, string>
  port?: number
  /** The command that runs the program, such as `faketime`. */
  before?: string[]
}

/** Sends a request. Throws if nothing answers. With `onBroken`, returns null for an answer that breaks off. */
export async function ask(url: string, secret: string): Promise<Answer>
export async function ask(url: string, secret: string, onBroken: () => void): Promise<Answer | null>
export async function ask(url: string, secret: string, onBroken?: () => void): Promise<Answer | null> {
  const startMs = performance.now()
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(120_000) })
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    if (onBroken === undefined || (error as Error).name === 'TimeoutError') throw error
    onBroken()
    return null
  }
  const code = response.ok ? '' : (/"code":"(\w+)"/.exec(text)?.[1] ?? '')
  const { status } = response
  return { status, text, code, retryAfter: response.headers.get('retry-after'), ms: performance.now() - startMs }
}

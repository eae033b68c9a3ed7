// Runs the server as its users do, as a process. Sends requests as bytes, so that a test can send what no library
// would.

import { connect } from 'node:net'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

export type ServeProcess = AsyncDisposable & {
  url: string
  port: number
  pid: number
  /** Sends these bytes. Resolves to the response, up to the end of the connection. */
  raw(request: string): Promise<string>
  /** Sends a request with these header lines. Resolves to the error code, or else to the status. */
  answer(method: string, path: string, ...headers: string[]): Promise<string>
  /** Stops the process; resolves to what it wrote to stdout and stderr. */
  stop(): Promise<{ out: string; err: string; exitCode: number }>
}

/** Starts a server. It gets only `env`, and no settings of this machine. It makes files with the usual permissions,
 *  readable for everyone. */
export async function serveProcess(data: string, env: Record<string, string> = {}): Promise<ServeProcess> {
  const script = 'umask 022; exec "$0" "$@"'
  const child = Bun.spawn(['sh', '-c', script, process.execPath, MAIN, 'serve', '--data', data, '--port', '0'], {
    env: { PATH: process.env['PATH'] ?? '', WORKER_THREADS: '1', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const err = child.stderr.text()
  let out = ''
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const bytes of child.stdout) {
      out += new TextDecoder().decode(bytes)
      if (out.includes('\n')) resolve()
    }
    resolve()
  })()
  await listening
  const url = /http:\S+/.exec(out)?.[0]
  if (url === undefined) throw new Error(`the server did not start: ${await err}`)
  const port = Number(new URL(url).port)
  const raw = (request: string) => talk(port, request)
  let stopped: Promise<{ out: string; err: string; exitCode: number }> | undefined
  const stop = () => {
    child.kill('SIGTERM')
    stopped ??= child.exited.then(async (exitCode) => {
      await reading
      return { out, err: await err, exitCode }
    })
    return stopped
  }
  return {
    url,
    port,
    pid: child.pid,
    raw,
    answer: async (method, path, ...headers) =>
      codeOf(await raw([`${method} ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

function talk(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const end = () => resolve(Buffer.concat(chunks).toString())
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(request, 'latin1')))
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('data', (bytes) => chunks.push(Buffer.from(bytes)))
    socket.on('close', end)
    socket.on('error', end)
  })
}

/** Returns the error code or the status; empty if the connection was closed without an answer. */
const codeOf = (response: string): string =>
  /"code":"(\w+)"/.exec(response)?.[1] ?? /^HTTP\/1\.[01] ([0-9]{3})/.exec(response)?.[1] ?? ''

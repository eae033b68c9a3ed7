// Starts a server as a process of its own, and waits until it prints its address.

export type ServerProcess = {
  url: string
  pid: number
  /** Start time, on the clock of `performance.now()`. */
  startedMs: number
  /** Time from the start until the server listens, ms. */
  listeningMs: number
  stop(): Promise<void>
}

const LISTENING = /listening on (http:\S+)/

/** Runs `script` with Bun; it prints `listening on URL` when it is ready. */
export async function startProcess(
  script: string[],
  variables: Record<string, string> = {},
  { logsTo = 'inherit' }: { logsTo?: 'inherit' | 'ignore' } = {},
): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = Bun.spawn([process.execPath, ...script], {
    env: { ...process.env, ...variables },
    stdout: 'pipe',
    stderr: logsTo,
  })
  const url = await listeningUrl(child.stdout)
  const listeningMs = performance.now() - startedMs
  return {
    url,
    pid: child.pid,
    startedMs,
    listeningMs,
    async stop() {
      child.kill('SIGTERM')
      // Otherwise the server would wait for clients that still read slowly.
      const timer = setTimeout(() => child.kill('SIGKILL'), 2_000)
      await child.exited
      clearTimeout(timer)
    },
  }
}

async function listeningUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let printed = ''
  for await (const chunk of stdout) {
    printed += decoder.decode(chunk, { stream: true })
    const url = LISTENING.exec(printed)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`the server ended before it listened: ${printed}`)
}

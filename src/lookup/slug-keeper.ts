// Stores what Gamma answered, in a process of its own: the server never writes the store, and waits for no writer.

import type { StorePlace } from '../../storage/open-store.ts'
import { childEnvironment } from '../config/child-environment.ts'

/** Documents that may wait for their turn. More are dropped: who asks for their slugs later asks Gamma again. */
const WAITING_MAX = 1_000

export type SlugKeeper = {
  /** Returns at once. */
  keep(documents: unknown[]): void
  /** What is not stored by then is not kept. */
  stop(): Promise<void>
}

export type SlugKeeperOptions = {
  /** The command that stores the JSON array that its stdin gives, as its first words. */
  command: readonly string[]
  /** Where it stores them; null for the data folder that the command names. */
  cluster: StorePlace['cluster']
  /** Told what the command said on stderr. */
  onFailure(reason: string): void
}

/** One process runs at a time. It takes all that waits then. */
export function slugKeeper({ command, cluster, onFailure }: SlugKeeperOptions): SlugKeeper {
  let waiting: unknown[] = []
  let running: { child: Bun.Subprocess<Uint8Array, 'ignore', 'pipe'>; ended: Promise<void> } | undefined
  let isStopped = false

  const start = () => {
    const stdin = new TextEncoder().encode(JSON.stringify(waiting))
    waiting = []
    const env = childEnvironment(process.env, cluster)
    const child = Bun.spawn([...command], { env, stdin, stdout: 'ignore', stderr: 'pipe' })
    running = { child, ended: follow(child) }
  }
  const follow = async (child: Bun.Subprocess<Uint8Array, 'ignore', 'pipe'>) => {
    const [said] = await Promise.all([child.stderr.text(), child.exited])
    running = undefined
    if (isStopped) return
    if (said !== '') onFailure(said.trim())
    if (waiting.length > 0) start()
  }
  return {
    keep(documents) {
      if (isStopped) return
      waiting = [...waiting, ...documents].slice(0, WAITING_MAX)
      if (running === undefined && waiting.length > 0) start()
    },
    async stop() {
      isStopped = true
      running?.child.kill('SIGKILL')
      await running?.ended
    },
  }
}

/** How this program is run once more: from source it is a file that Bun runs, else it is the program itself. */
export const ownCommand = (): string[] =>
  Bun.embeddedFiles.length > 0 ? [process.execPath] : [process.execPath, Bun.main]

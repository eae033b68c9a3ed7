// Stores Gamma's answers in a separate process: the server never writes the store, and waits for no writer.

import type { StorePlace } from '../../storage/open-store.ts'
import { childEnvironment } from '../config/child-environment.ts'

/** Limit of waiting documents. More are dropped: a later lookup of their slugs requests them from Gamma again. */
const WAITING_MAX = 1_000

export type SlugStore = {
  /** Queues documents to be stored. Returns at once. */
  keep(documents: unknown[]): void
  /** Drops the documents that are not yet stored. */
  stop(): Promise<void>
}

export type SlugStoreOptions = {
  /** The command that stores the JSON array from its stdin. */
  command: readonly string[]
  /** The cluster to store the documents in; null for the data folder that the command names. */
  cluster: StorePlace['cluster']
  /** Called with what the command wrote to stderr, if it wrote anything. */
  onFailure(reason: string): void
}

/** Runs one process at a time, which takes all documents waiting at its start. */
export function openSlugStore({ command, cluster, onFailure }: SlugStoreOptions): SlugStore {
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
    const [stderr] = await Promise.all([child.stderr.text(), child.exited])
    running = undefined
    if (isStopped) return
    if (stderr !== '') onFailure(stderr.trim())
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

/** Returns the command that runs this program again: the binary, or Bun with the main file if run from source. */
export const ownCommand = (): string[] =>
  Bun.embeddedFiles.length > 0 ? [process.execPath] : [process.execPath, Bun.main]

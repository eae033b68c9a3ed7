// Starts a server of this program as its users run it: in a process of its own on a data folder, with a key.

import { copyFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startProcess } from './server-process.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = join(PROJECT, 'src/main.ts')

export type BackbookServer = ServerProcess & {
  key: string
  headers: { authorization: string; 'accept-encoding': string }
}

type Options = {
  logsTo?: 'inherit' | 'ignore'
  /** A file of accounts; the server starts with a copy of it. */
  accountsFrom?: string
  /** The key's plan; one without limits by default. */
  plan?: string
  /** Further environment variables. */
  settings?: Record<string, string>
}

/** Starts a server. Its accounts are the bench's own, empty or a copy of a file, so that the data folder stays
 *  unchanged. */
export async function startBackbook(
  data: string,
  { accountsFrom, settings = {}, plan = 'pro', ...options }: Options = {},
): Promise<BackbookServer> {
  const accounts = join(tmpdir(), `backbook-bench-accounts-${process.pid}-${performance.now()}.sqlite`)
  if (accountsFrom !== undefined) copyFileSync(accountsFrom, accounts)
  const variables = { LOG_LEVEL: 'warn', ...settings, ACCOUNTS_URL: `sqlite://${accounts}` }
  const key = await createKey(data, plan, variables)
  const server = await startProcess([MAIN, 'serve', '--data', data, '--port', '0'], variables, options)
  return {
    ...server,
    key,
    // Otherwise the client would request compressed answers, and decompression would be measured.
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    async stop() {
      await server.stop()
      for (const suffix of ['', '-wal', '-shm']) rmSync(accounts + suffix, { force: true })
    },
  }
}

async function createKey(data: string, plan: string, variables: Record<string, string>): Promise<string> {
  const options = ['--data', data, '--user', 'bench', '--name', 'bench', '--plan', plan, '--json']
  const command = [process.execPath, MAIN, 'keys', 'create', ...options]
  const child = Bun.spawn(command, { env: { ...process.env, ...variables }, stdout: 'pipe', stderr: 'inherit' })
  return (JSON.parse(await new Response(child.stdout).text()) as { api_key: string }).api_key
}

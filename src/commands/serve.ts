// `serve`: the server on a data folder, until it is told to stop.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { DataError } from '../../storage/failures.ts'
import { openStore, type Store } from '../../storage/open-store.ts'
import { storeMetadata } from '../../workers/ingest/store-metadata.ts'
import { createWorkers } from '../../workers/pool.ts'
import type { PageRequest, Workers } from '../../workers/requests.ts'
import { type Accounts, accountsUrl, openAccounts } from '../accounts/open-accounts.ts'
import { createApp } from '../app.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { logError } from '../http/failure-log.ts'
import { askGamma } from '../http/gamma.ts'
import { type Listening, listen } from '../http/listen.ts'
import { isLoopbackHost } from '../http/management-access.ts'
import { storedMarketIn } from '../http/stored-market.ts'
import type { AskForSlug } from '../routes/lookup.ts'
import { plansOf } from './accounts.ts'
import { CommandError } from './program.ts'

type ServeOptions = { data: string; host: string; port: number }

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('answer HTTP requests from a data folder')
    .option('--data <folder>', 'data folder, made where it is missing', 'data')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on, 0 for any', readPort, 8080)
    .action(async (options: ServeOptions) => {
      const server = await startServer(options, configOf(process.env))
      const stopped = stopSignal()
      process.stdout.write(`backbook listening on ${server.url}\n`)
      await stopped
      await server.stop()
    })
}

/** Everything that a running server holds open, opened; `stop` finishes what is running and closes it again. */
export async function startServer(
  { data, host, port }: ServeOptions,
  config: Config,
): Promise<{ url: string; stop(): Promise<void> }> {
  assertManagementIsGuarded(host, config)
  mkdirSync(data, { recursive: true })
  const store = openStore(data)
  const accounts = await openServerAccounts(store, data, config)
  const workers = createWorkers({ folder: data, threads: config.workerThreads, queueMax: config.workerQueueMax })
  // The accounts end before the store: they write the last calls, by the markets that are stored.
  const close = async () => {
    await workers.close()
    await accounts.close()
    await store.close()
  }

  let listening: Listening | undefined
  const clientAddress = (request: Request) => listening?.clientAddress(request) ?? null
  const app = createApp({
    catalogue: store.catalogue,
    workers,
    accounts,
    config,
    clientAddress,
    ...lookupElsewhere(store, config),
  })
  try {
    await warmUp(workers, config.workerThreads)
    listening = listen(app.fetch, { host, port })
  } catch (error) {
    await close()
    throw new CommandError(`cannot listen on ${host} port ${port}: ${(error as Error).message}`, 1)
  }
  const { url, stop } = listening
  return {
    url,
    async stop() {
      await stop(config.shutdownMs)
      await close()
    },
  }
}

/** Throws where a user is on a plan that the configuration does not have: it would be given another one's limits. */
async function openServerAccounts({ catalogue }: Store, data: string, config: Config): Promise<Accounts> {
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, data), {
    plans: plansOf(config),
    stripe: config.stripe,
    storedMarket: storedMarketIn(catalogue),
    usageNotWritten: (error) => logError('usage is not written yet: it will be tried again', error),
  })
  const unknown = await accounts.unknownPlans()
  if (unknown.length === 0) return accounts
  await accounts.close()
  const message = `users are on plans that are not configured: ${unknown.join(', ')}; add them to PLANS_FILE`
  throw new CommandError(`${message}, or move the users with "plans set"`, 2)
}

/** Asks each thread for something small: all of them are loaded then, so that the first client does not wait for that
 *  and no thread is ended while it loads native code, which would crash the process. */
async function warmUp(workers: Pick<Workers, 'page'>, threads: number): Promise<void> {
  const scope = { date: '1970-01-01', offset: 0 }
  const request = { venue: 'kalshi', market: 'WARM-UP', book: null, limit: 1, scope } satisfies PageRequest
  const ask = () => workers.page(request).catch((error: unknown) => assert(error instanceof DataError, String(error)))
  await Promise.all(Array.from({ length: threads }, ask))
}

/** With GAMMA_URL set, a slug that is not stored is asked for there. */
function lookupElsewhere({ catalogue, blocks }: Store, { gammaUrl }: Config): { askForSlug?: AskForSlug } {
  if (gammaUrl === null) return {}
  const store = (document: unknown) => storeMetadata(blocks, [document])
  return { askForSlug: askGamma({ url: gammaUrl, store, find: (slug) => catalogue.slug(slug) }) }
}

/** Anybody who reaches an open server could make keys: that must be wanted. */
export function assertManagementIsGuarded(host: string, { adminToken, managementOpen }: Config): void {
  if (isLoopbackHost(host) || adminToken !== null || managementOpen) return
  const message =
    `${host} is reached from other machines, and without ADMIN_TOKEN anybody there could make keys: ` +
    'set ADMIN_TOKEN, or MANAGEMENT_ACCESS=open if that is wanted'
  throw new CommandError(message, 2)
}

export function configOf(variables: Record<string, string | undefined>): Config {
  try {
    return readConfig(variables, availableParallelism())
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, 2)
    throw error
  }
}

export function readPort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('Accepted is a port number from 0 to 65535.')
}

/** A second signal ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

// `serve`: the server on a data folder, until it is told to stop.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import type { Command } from 'commander'
import { DataError } from '../../../storage/failures.ts'
import { openStore, type Store } from '../../../storage/open-store.ts'
import { storeMetadata } from '../../../workers/load/store-metadata.ts'
import { createWorkers } from '../../../workers/pool/pool.ts'
import type { PageRequest, Workers } from '../../../workers/requests.ts'
import { type Accounts, accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { flagOf, SETTING_NAMES, settingOf } from '../../config/settings.ts'
import { isLoopbackHost } from '../../http/access/management-access.ts'
import { storedMarketIn } from '../../http/parameters/stored-market.ts'
import { failureLog } from '../../http/server/failure-log.ts'
import { type Listening, listen } from '../../http/server/listen.ts'
import { askGamma } from '../../lookup/gamma.ts'
import { logCrashes } from '../../observe/log/crash-log.ts'
import type { Log } from '../../observe/log/log.ts'
import { logOf, watchServer } from '../../observe/server-watch.ts'
import type { AskForSlug } from '../../routes/lookup.ts'
import { VERSION } from '../../version.ts'
import { plansOf } from '../accounts/accounts.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { cannotListen } from './free-address.ts'
import { settingsJson, settingsText } from './print-settings.ts'
import { addSettings, type CommandOptions, heldSettings } from './settings.ts'
import { tellSystemd } from './tell-systemd.ts'

export function addServeCommand(program: Command): void {
  const command = program.command('serve').description('answer HTTP requests from a data folder')
  addSettings(command)
    .option('--print-config', 'print the settings that hold and where each comes from, and end')
    .option('--json', 'with --print-config: print JSON')
    .action(serve)
  const secrets = SETTING_NAMES.filter((name) => flagOf(name) === null).map((name) => settingOf(name).variable)
  command.addHelpText('after', `\nSecrets are given in the environment or in the file: ${secrets.join(', ')}`)
  addExamples(command, [
    'backbook serve --data data --port 8080',
    'ADMIN_TOKEN=… backbook serve --config /etc/backbook.toml --host 0.0.0.0',
    'backbook serve --print-config',
  ])
}

async function serve(options: CommandOptions): Promise<void> {
  const { config, ...held } = heldSettings(options)
  if (options['json'] === true && options['printConfig'] !== true) {
    throw new CommandError('--json is for --print-config: the log is JSON with --log-format json', EXIT.usage)
  }
  if (options['printConfig'] === true) {
    if (options['json'] === true) printJson(settingsJson(held, held.file))
    else process.stdout.write(settingsText(held))
    return
  }
  const server = await startServer(config)
  const stopped = stopSignal()
  process.stdout.write(`backbook listening on ${server.url}\n`)
  tellSystemd('READY=1', server.log)
  await stopped
  tellSystemd('STOPPING=1', server.log)
  await server.stop()
  // All that is ours is closed. What the runtime may still hold of clients that left would keep the process for ever.
  setTimeout(() => process.exit(), EXIT_MS).unref()
}

/** The process ends by itself before that, as a rule. */
const EXIT_MS = 1_000

/** Everything that a running server holds open, opened; `stop` finishes what is running and closes it again. */
export async function startServer(config: Config): Promise<{ url: string; log: Log; stop(): Promise<void> }> {
  assertManagementIsGuarded(config)
  const { data, host, port } = config
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const store = openStore(data)
  const log = logOf(config)
  logCrashes(log)
  const accounts = await openServerAccounts(store, config, log)
  let listening: Listening | undefined
  const clientAddress = (request: Request) => listening?.clientAddress(request) ?? null
  const watch = await watchServer({
    config,
    log,
    storeStats: store.figures,
    clientAddress,
    pendingRequests: () => listening?.pendingRequests() ?? 0,
  })
  const workers = createWorkers({
    folder: data,
    threads: config.workerThreads,
    queueMax: config.workerQueueMax,
    // What it takes to be warm is no task of a client.
    onTask: (report) => listening && watch.onTask(report),
    onThreadEnd: (reason) => log.error({ reason }, 'a worker thread ended: another takes its place'),
  })
  // The accounts end before the store: they write the last calls, by the markets that are stored.
  const close = async () => {
    await workers.close()
    await accounts.close()
    await store.close()
    await watch.stop()
  }

  const app = createApp({
    catalogue: store.catalogue,
    workers,
    accounts,
    config,
    clientAddress,
    log: failureLog(log),
    observe: watch.observe,
    ...lookupElsewhere(store, config),
  })
  try {
    await warmUp(workers, config.workerThreads)
    listening = listen(app.fetch, { host, port, idleSeconds: config.idleSeconds, log })
  } catch (error) {
    await close()
    throw cannotListen({ host, port }, error)
  }
  const { url, stop } = listening
  log.info({ url, version: VERSION, bun: Bun.version, threads: config.workerThreads }, 'listening')
  return {
    url,
    log,
    async stop() {
      log.info('stopping: what is running is finished')
      await stop(config.shutdownMs)
      await close()
      log.info('stopped')
    },
  }
}

/** Throws where a user is on a plan that the configuration does not have: it would be given another one's limits. */
async function openServerAccounts({ catalogue }: Store, config: Config, log: Log): Promise<Accounts> {
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, config.data), {
    plans: plansOf(config),
    stripe: config.stripe,
    storedMarket: storedMarketIn(catalogue),
    usageNotWritten: (error) => log.error({ error }, 'usage is not written yet: it will be tried again'),
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
  const ask = () => workers.page(request).catch((error: unknown) => assert(isAnswer(error), String(error)))
  await Promise.all(Array.from({ length: threads }, ask))
}

/** Nothing is stored of that market, or nothing can be read at all; a thread that cannot even start is no answer. */
const isAnswer = (error: unknown) => error instanceof DataError && error.code !== 'work_lost'

/** With GAMMA_URL set, a slug that is not stored is asked for there. */
function lookupElsewhere({ catalogue, blocks }: Store, { gammaUrl }: Config): { askForSlug?: AskForSlug } {
  if (gammaUrl === null) return {}
  const store = (document: unknown) => storeMetadata(blocks, [document])
  return { askForSlug: askGamma({ url: gammaUrl, store, find: (slug) => catalogue.slug(slug) }) }
}

/** Anybody who reaches an open server could make keys: that must be wanted. */
export function assertManagementIsGuarded({ host, adminToken, managementOpen }: Config): void {
  if (isLoopbackHost(host) || adminToken !== null || managementOpen) return
  const message =
    `${host} is reached from other machines, and without ADMIN_TOKEN anybody there could make keys: ` +
    'set ADMIN_TOKEN, or MANAGEMENT_ACCESS=open if that is wanted'
  throw new CommandError(message, 2)
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** A second signal, whichever, ends the process at once, as it would have without this. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop)
      resolve()
    }
    for (const signal of STOP_SIGNALS) process.on(signal, stop)
  })
}

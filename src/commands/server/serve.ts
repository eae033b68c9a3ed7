// `serve`: runs the server on a data folder until it is stopped.

import assert from 'node:assert/strict'
import type { Command } from 'commander'
import { nodeMemory } from '../../../storage/cluster/node-counters.ts'
import { DataError } from '../../../storage/failures.ts'
import type { Maintenance } from '../../../storage/maintenance.ts'
import { openStoreAt, type Store } from '../../../storage/open-store.ts'
import { sleep, systemTimers } from '../../../storage/retry/timers.ts'
import { VENUES } from '../../../storage/venue.ts'
import { createWorkers, type WorkerOptions } from '../../../workers/pool/pool.ts'
import type { PageRequest, Workers } from '../../../workers/requests.ts'
import { pageTask } from '../../../workers/tasks/page.ts'
import { type Accounts, accountsUrl, openAccounts } from '../../accounts/open-accounts.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { flagOf, SETTING_NAMES, settingOf } from '../../config/settings.ts'
import { isLoopbackHost } from '../../http/access/management-access.ts'
import { storedMarketIn } from '../../http/parameters/stored-market.ts'
import { Draining } from '../../http/server/draining.ts'
import { failureLog } from '../../http/server/failure-log.ts'
import { type Listening, listen } from '../../http/server/listen.ts'
import { webSockets } from '../../http/sockets/web-socket.ts'
import { askGamma } from '../../lookup/gamma.ts'
import { openSlugStore, ownCommand, type SlugStore } from '../../lookup/slug-store.ts'
import { logCrashes } from '../../observe/log/crash-log.ts'
import type { Log } from '../../observe/log/log.ts'
import { logOf, watchServer } from '../../observe/server-watch.ts'
import { EngineProbe } from '../../observe/stats/engine-probe.ts'
import { type RecorderChild, spawnRecorder, superviseRecorder } from '../../record/process/recorder-child.ts'
import { readRecordConfig } from '../../record/venues/read-record-config.ts'
import type { AskForSlug } from '../../routes/lookup.ts'
import { VERSION } from '../../version.ts'
import { plansOf } from '../accounts/accounts.ts'
import { addSettings, type CommandOptions, resolvedSettings } from '../settings.ts'
import { applySourceOrder } from '../source-order.ts'
import { printJson } from '../terminal/print-json.ts'
import { addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { makeDataFolder } from './data-folder.ts'
import { cannotListen } from './free-address.ts'
import { notifySystemd } from './notify-systemd.ts'
import { settingsJson, settingsText } from './print-settings.ts'
import { printReady } from './ready-lines.ts'
import { stopSignal, UNTIL_STDIN_ENDS } from './stop-signal.ts'

export function addServeCommand(program: Command): void {
  const command = program.command('serve').description('serve a data folder over HTTP')
  addSettings(command)
    .option('--print-config', 'print each setting with its source, and exit')
    .option('--json', 'with --print-config: print JSON')
    .option('--record <file>', 'also record what this file selects, in a process beside the server')
    .action(serve)
  const secrets = SETTING_NAMES.filter((name) => flagOf(name) === null).map((name) => settingOf(name).variable)
  command.addHelpText(
    'after',
    `\nSecrets have no flag. Set them in the environment or in the file: ${secrets.join(', ')}\n`,
  )
  addExamples(command, [
    'backbook serve --data data --port 8080',
    'ADMIN_TOKEN=… backbook serve --config /etc/backbook.toml --host 0.0.0.0',
    'backbook serve --print-config',
    'backbook serve --data data --record record.toml',
  ])
}

async function serve(options: CommandOptions): Promise<void> {
  const { config, ...held } = resolvedSettings(options)
  if (options['json'] === true && options['printConfig'] !== true) {
    throw new CommandError(
      '--json works only with --print-config; for a log in JSON, use --log-format json',
      EXIT.usage,
    )
  }
  if (options['printConfig'] === true) {
    if (options['json'] === true) printJson(settingsJson(held, held.file))
    else process.stdout.write(settingsText(held))
    return
  }
  const file = options['record'] as string | undefined
  if (file !== undefined) readRecordConfig(file)
  const stopped = stopSignal()
  await applySourceOrder(config)
  const late = stopped.then(() => sleep(START_MS))
  const server = await Promise.race([startServer(config, { hasRecorder: file !== undefined }), late])
  if (server === undefined) process.exit()
  const recorder = file === undefined ? undefined : recorderBeside(config, file, server.log)
  printReady(config, [`backbook listening on ${server.url}`, `in a browser: ${server.url}/explore`])
  notifySystemd('READY=1', server.log)
  await stopped
  notifySystemd('STOPPING=1', server.log)
  await Promise.all([server.stop(), recorder?.stop()])
  // The server has closed everything of its own. The runtime may still hold connections of clients that left.
  setTimeout(() => process.exit(), EXIT_MS).unref()
}

/** Runs the recorder as a child process, so that a small host needs only one service. */
function recorderBeside({ data, cluster, logLevel, logFormat }: Config, file: string, log: Log): RecorderChild {
  const args = ['record', '--data', data, '--config', file, '--log-level', logLevel]
  const command = [
    ...ownCommand(),
    ...args,
    ...(logFormat === null ? [] : ['--log-format', logFormat]),
    UNTIL_STDIN_ENDS,
  ]
  return superviseRecorder({
    start: () => spawnRecorder(command, cluster),
    timers: systemTimers,
    random: Math.random,
    nowMs: () => performance.now(),
    log,
  })
}

/** Time between the end of the work and the forced exit. Usually the process ends by itself earlier. */
const EXIT_MS = 1_000
/** Time that a start may continue after the stop signal: threads must not be ended while they load, but a store that
 *  does not answer must not block the exit. */
const START_MS = 5_000
/** Requests that may wait for each thread; more are answered with 503 overloaded. */
const QUEUE_A_THREAD = 64

/** The store and the threads that answer questions. By default, the configured store and threads that read it. */
export type Backend = {
  store: Store & { maintenance: Pick<Maintenance, 'stats'> & Partial<Pick<Maintenance, 'engines'>> }
  workers: Workers
}

/** Store options of the server's own thread. No caller marks the start of a question here, so each call checks for
 *  changes. */
const NODE = { mayWrite: false, isEachCallChecked: true, listens: true }

/** Opens everything that a server needs, and listens. `stop` finishes the running requests and closes everything. */
export async function startServer(
  config: Config,
  { backend, hasRecorder = false }: { backend?: Backend; hasRecorder?: boolean } = {},
): Promise<{ url: string; log: Log; stop(): Promise<void> }> {
  assertManagementIsGuarded(config)
  const { data, cluster, host, port } = config
  makeDataFolder(data)
  const place = { folder: data, cluster }
  const shared = cluster === null ? undefined : nodeMemory()
  const log = logOf(config)
  const store = backend?.store ?? (await openStoreAt(place, { ...NODE, shared }))
  logCrashes(log)
  const engines = new EngineProbe(store.maintenance.engines ?? [])
  const accounts = await openServerAccounts(store, config, log)
  let listening: Listening | undefined
  const draining = new Draining()
  const clientAddress = (request: Request) => listening?.clientAddress(request) ?? null
  const watch = watchServer({
    config,
    log,
    storeStats: () => store.maintenance.stats(),
    engines: () => engines.states(),
    clientAddress,
    pendingRequests: () => listening?.pendingRequests() ?? 0,
  })
  const threads: WorkerOptions = {
    place,
    shared,
    threads: config.workerThreads,
    queueMax: config.workerThreads * QUEUE_A_THREAD,
    // The tasks that load the threads are not counted.
    onTask: (report) => listening && watch.onTask(report),
    onThreadEnd: (reason) => log.error({ reason }, 'a worker thread ended and is replaced'),
  }
  const workers = backend?.workers ?? createWorkers(threads)
  const slugStore = openSlugStore({
    command: [...ownCommand(), 'keep-slugs', data],
    cluster,
    onFailure: (reason) => log.warn({ reason }, 'an answer from Gamma could not be stored'),
  })
  // The store is closed last: the accounts still look up stored markets for the last calls.
  const close = async () => {
    await slugStore.stop()
    await workers.close()
    await accounts.close()
    await store.close()
    watch.stop()
  }

  const app = createApp({
    catalogue: store.catalogue,
    workers,
    accounts,
    config,
    clientAddress,
    log: failureLog(log),
    observe: watch.observe,
    isDraining: draining.isDraining,
    hasRecorder,
    ...lookupElsewhere(slugStore, config),
  })
  try {
    await loadThreads(workers, config.workerThreads)
    listening = listen(draining.around(app.fetch), { host, port, idleSeconds: config.idleSeconds, log, webSockets })
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
      await draining.run(config.drainMs, log)
      log.info('stopping: finishing running requests')
      app.connections.stop()
      await stop(config.shutdownMs)
      await close()
      log.info('stopped')
    },
  }
}

/** Throws if a user is on a plan that is not configured: the user would get the limits of another plan. */
async function openServerAccounts({ catalogue }: Store, config: Config, log: Log): Promise<Accounts> {
  const accounts = await openAccounts(accountsUrl(config.accountsUrl, config.data), {
    plans: plansOf(config),
    stripe: config.stripe,
    storedMarket: storedMarketIn(catalogue),
    usageNotWritten: (error) => log.error({ error }, 'usage cannot be written: it will be tried again'),
  })
  const unknown = await accounts.unknownPlans()
  if (unknown.length === 0) return accounts
  await accounts.close()
  const message = `users are on plans that are not configured: ${unknown.join(', ')}; add them to PLANS_FILE`
  throw new CommandError(`${message}, or move the users with "plans set"`, 2)
}

/** Runs a small task on each thread, so that the thread loads its code. The first client then does not wait for this,
 *  and no thread is ended while it loads native code, which would crash the process. */
async function loadThreads(workers: Pick<Workers, 'ask'>, threads: number): Promise<void> {
  const scope = { date: '1970-01-01', offset: 0 }
  const request = { venue: VENUES[0]!, market: 'NONE', book: null, limit: 1, scope } satisfies PageRequest
  const ask = () => workers.ask(pageTask, request).catch((error: unknown) => assert(isAnswer(error), String(error)))
  await Promise.all(Array.from({ length: threads }, ask))
}

/** Returns whether an error shows that the thread works: a data error comes from the task, unless it is `work_lost`.
 *  A thread that cannot start fails with another error. */
const isAnswer = (error: unknown) => error instanceof DataError && error.code !== 'work_lost'

/** Returns the lookup at GAMMA_URL for slugs that are not stored; nothing if GAMMA_URL is not set. */
function lookupElsewhere({ keep }: SlugStore, { gammaUrl }: Config): { askForSlug?: AskForSlug } {
  return gammaUrl === null ? {} : { askForSlug: askGamma({ url: gammaUrl, keep }) }
}

/** Throws if a server that other machines can reach has no admin token, unless the operator allowed that. Everyone who
 *  can reach such a server could create keys. */
export function assertManagementIsGuarded({ host, adminToken, managementOpen }: Config): void {
  if (isLoopbackHost(host) || adminToken !== null || managementOpen) return
  const message =
    `other machines can reach ${host}, and without ADMIN_TOKEN anybody there could make keys: ` +
    'set ADMIN_TOKEN, or MANAGEMENT_ACCESS=open to allow that'
  throw new CommandError(message, 2)
}

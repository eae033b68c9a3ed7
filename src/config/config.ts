// The configuration as the program uses it: created once from the settings, and frozen.

import type { BlockList } from 'node:net'
import type { ClusterSettings } from '../../storage/cluster/settings/cluster-settings.ts'
import type { StripeSettings } from '../accounts/billing/stripe-billing.ts'
import type { Origins } from '../http/server/cors.ts'
import { parseProxies } from '../http/server/forwarded-address.ts'
import type { LogFormat, LogLevel } from '../observe/log/log-settings.ts'
import { clusterOf } from './cluster-config.ts'
import { ConfigError } from './config-error.ts'
import { originsOf } from './origins.ts'
import { readSettings, type SettingSources } from './read-settings.ts'
import { type Settings, settingOf, sourceNames } from './settings.ts'

export type Config = Readonly<{
  /** The data folder. */
  data: string
  /** The location of the store that many nodes share; null for the one in the data folder. */
  cluster: ClusterSettings | null
  /** Archives in order of preference. The order decides which archive is shown where several have a date; null keeps
   *  the store's order. */
  sources: readonly string[] | null
  host: string
  /** 0 uses any free port. */
  port: number
  /** Null if there is none: management is then open to this machine. */
  adminToken: string | null
  managementOpen: boolean
  /** True if clients on this machine need no API key. */
  localAccessOpen: boolean
  monitoringToken: string | null
  /** The origins whose web pages may read answers. */
  corsOrigins: Origins
  /** The origins whose pages may show the chart of a market in a frame. */
  frameAncestors: Origins
  logLevel: LogLevel
  /** Null selects text on a terminal, else JSON. */
  logFormat: LogFormat | null
  accessLog: boolean
  /** The proxies whose X-Forwarded-For is trusted by the access log; null for none. */
  trustedProxies: BlockList | null
  /** The collector that receives traces; null for none. */
  tracesEndpoint: string | null
  /** The share of traces started here that is sampled: 0 to 1. */
  tracesShare: number
  /** Null for a SQLite file in the data folder. Nodes of a cluster share accounts: theirs are in the catalogue's
   *  database. */
  accountsUrl: string | null
  /** Null for the built-in plans. */
  plansFile: string | null
  /** Null if nothing is sold. */
  stripe: StripeSettings | null
  gammaUrl: string | null
  workerThreads: number
  workerQueueMax: number
  /** Memory for answers about the past, bytes; 0 disables the cache. */
  answerCacheBytes: number
  /** Room for day files in the data folder, bytes. */
  dayFilesBytes: number
  /** Limits on the number of open connections of replays and streams: for all clients together, and per key. */
  connectionsMax: number
  connectionsPerKeyMax: number
  /** Bytes that may wait for a subscriber of a stream. */
  streamWaitingBytes: number
  /** How long a connection may be idle between requests, and how long a request may take to arrive. */
  idleSeconds: number
  /** How long a stopping server waits for running requests. */
  shutdownMs: number
  /** How long a server that is about to stop still accepts requests, while it reports that it is stopping. */
  drainMs: number
}>

/** Throws ConfigError. */
export function readConfig(sources: SettingSources, processors: number): Config {
  return configFrom(readSettings(sources, processors).values)
}

/** Throws ConfigError if settings contradict each other. */
export function configFrom(settings: Settings): Config {
  return Object.freeze({
    data: settings.data,
    cluster: clusterOf(settings),
    sources: sourcesOf(settings),
    host: settings.host,
    port: settings.port,
    adminToken: settings.admin_token ?? null,
    managementOpen: settings.management_access === 'open',
    localAccessOpen: isLocalAccessOpen(settings),
    monitoringToken: settings.monitoring_token ?? null,
    corsOrigins: originsOf('cors_origins', settings.cors_origins),
    frameAncestors: originsOf('frame_ancestors', settings.frame_ancestors),
    logLevel: settings.log_level as LogLevel,
    logFormat: (settings.log_format as LogFormat | undefined) ?? null,
    accessLog: settings.access_log === 'on',
    trustedProxies: proxiesOf(settings),
    tracesEndpoint: settings.otel_exporter_otlp_endpoint?.replace(/\/+$/, '') ?? null,
    tracesShare: Number(settings.otel_traces_sampler_arg),
    accountsUrl: settings.accounts_url ?? settings.catalogue_url ?? null,
    plansFile: settings.plans_file ?? null,
    stripe: stripeOf(settings),
    gammaUrl: settings.gamma_url?.replace(/\/+$/, '') ?? null,
    workerThreads: settings.worker_threads,
    workerQueueMax: settings.worker_queue_max,
    answerCacheBytes: settings.answer_cache_mb * 2 ** 20,
    dayFilesBytes: settings.day_files_mb * 2 ** 20,
    connectionsMax: settings.connections_max,
    connectionsPerKeyMax: settings.connections_per_key_max,
    streamWaitingBytes: settings.stream_waiting_kb * 2 ** 10,
    idleSeconds: settings.idle_seconds,
    shutdownMs: settings.shutdown_seconds * 1000,
    drainMs: settings.drain_seconds * 1000,
  })
}

function sourcesOf({ sources: text }: Settings): string[] | null {
  if (text === undefined) return null
  return text === '*' ? [] : sourceNames(text)
}

function proxiesOf({ trusted_proxies: text }: Settings): BlockList | null {
  if (text === undefined) return null
  const proxies = parseProxies(text)
  if (proxies !== undefined) return proxies
  const { variable, accepts } = settingOf('trusted_proxies')
  throw new ConfigError(`${variable} must be ${accepts}, got ${JSON.stringify(text)}`)
}

/** Returns whether clients on this machine need no API key. Throws ConfigError if proxies are trusted too: a proxy on
 *  this machine makes all of its clients look local. */
function isLocalAccessOpen({ local_access, trusted_proxies }: Settings): boolean {
  if (local_access === undefined || trusted_proxies === undefined) return local_access === 'open'
  const [access, proxies] = [settingOf('local_access').variable, settingOf('trusted_proxies').variable]
  throw new ConfigError(
    `${access}=open cannot be used together with ${proxies}: behind a proxy every client needs a key`,
  )
}

/** Requires both secrets: without the webhook's secret the server would never learn of a payment. */
function stripeOf(settings: Settings): StripeSettings | null {
  const { stripe_secret_key: secretKey, stripe_webhook_secret: webhookSecret } = settings
  if (secretKey === undefined && webhookSecret === undefined) return null
  if (secretKey !== undefined && webhookSecret !== undefined) {
    return { secretKey, webhookSecret, apiUrl: settings.stripe_api_url ?? null }
  }
  const { variable: key } = settingOf('stripe_secret_key')
  const { variable: secret } = settingOf('stripe_webhook_secret')
  throw new ConfigError(
    `${secretKey === undefined ? key : secret} is not set: set both ${key} and ${secret}, or neither`,
  )
}

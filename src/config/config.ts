// The configuration as the program uses it: created once from the settings, and frozen.

import type { StripeSettings } from '../accounts/billing/stripe-billing.ts'
import type { Origins } from '../http/server/cors.ts'
import { parseProxies } from '../http/server/forwarded-address.ts'
import type { LogFormat, LogLevel } from '../observe/log/log-settings.ts'
import { clusterOf } from './cluster-config.ts'
import { ConfigError } from './config-error.ts'
import { readSettings, type SettingSources } from './read-settings.ts'
import { type Settings, settingOf, sourceNames } from './settings.ts'

export type Config = Readonly<ReturnType<typeof configFrom>>

/** Throws ConfigError. */
export function readConfig(sources: SettingSources, processors: number): Config {
  return configFrom(readSettings(sources, processors).values)
}

/** Throws ConfigError if settings contradict each other. */
export function configFrom(settings: Settings) {
  return Object.freeze({
    /** The data folder. */
    data: settings.data,
    /** The location of the store that many nodes share; null for the one in the data folder. */
    cluster: clusterOf(settings),
    /** Archives in order of preference. The order decides which archive a date shows if several archives have records
     *  of it. Null keeps the order of the store. */
    sources: sourcesOf(settings),
    host: settings.host,
    /** 0 uses any free port. */
    port: settings.port,
    /** Null if there is none: management is then open to this machine. */
    adminToken: settings.admin_token ?? null,
    managementOpen: settings.management_access === 'open',
    /** True if clients on this machine need no API key. */
    localAccessOpen: isLocalAccessOpen(settings),
    monitoringToken: settings.monitoring_token ?? null,
    /** The origins whose web pages may read answers. */
    corsOrigins: originsOf(settings.cors_origins),
    /** The origins whose pages may show the chart of a market in a frame. */
    frameAncestors: originsOf(settings.frame_ancestors),
    logLevel: settings.log_level as LogLevel,
    /** Null means text if the output is a terminal, else JSON. */
    logFormat: (settings.log_format as LogFormat | undefined) ?? null,
    accessLog: settings.access_log === 'on',
    /** The proxies whose X-Forwarded-For is trusted by the access log; null for none. */
    trustedProxies: parseProxies(settings.trusted_proxies ?? '') ?? null,
    /** The database of the accounts; null for a SQLite file in the data folder. Nodes of a cluster share their
     *  accounts, by default in the catalogue's database. */
    accountsUrl: settings.accounts_url ?? settings.catalogue_url ?? null,
    /** Null for the built-in plans. */
    plansFile: settings.plans_file ?? null,
    /** Null if nothing is sold. */
    stripe: stripeOf(settings),
    gammaUrl: settings.gamma_url?.replace(/\/+$/, '') ?? null,
    workerThreads: settings.worker_threads,
    /** Memory for answers about the past, bytes; 0 disables the cache. */
    answerCacheBytes: settings.answer_cache_mb * 2 ** 20,
    /** Room for day files in the data folder, bytes. */
    dayFilesBytes: settings.day_files_mb * 2 ** 20,
    /** Limits on the number of open connections of replays and streams: for all clients together, and per key. */
    connectionsMax: settings.connections_max,
    connectionsPerKeyMax: settings.connections_per_key_max,
    /** How long a connection may be idle between requests, and how long a request may take to arrive. */
    idleSeconds: settings.idle_seconds,
    /** How long a stopping server waits for running requests. */
    shutdownMs: settings.shutdown_seconds * 1000,
    /** How long a server that is about to stop still accepts requests, while it reports that it is stopping. */
    drainMs: settings.drain_seconds * 1000,
  })
}

function sourcesOf({ sources: text }: Settings): string[] | null {
  if (text === undefined) return null
  return text === '*' ? [] : sourceNames(text)
}

/** Returns origins as browsers write them: the host in lower case, without a scheme's default port. */
function originsOf(text: string | undefined): Origins {
  if (text === undefined) return null
  return text === '*' ? '*' : new Set(text.split(',').map((origin) => new URL(origin.trim()).origin))
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

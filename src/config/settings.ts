// Every setting of the program, as one entry in one schema. The flags, the variables, the keys of the file, the output
// of --print-config and the table in docs/settings.md are derived from it. To add a setting, add it here and use it in
// config.ts.
//
//   worker_threads      its name, and its key in the file
//   --worker-threads    its flag, derived from the name; a setting that is only a secret has none, because
//                       all users of a machine can read each other's command lines
//   WORKER_THREADS      its variable

import { type Static, type TInteger, type TOptional, type TString, Type } from '@sinclair/typebox'
import { SOURCE_NAME } from '../../storage/format/shape.ts'
import { parseProxies } from '../http/server/forwarded-address.ts'
import { BILLING_SETTINGS } from './billing-settings.ts'
import {
  defaultWords,
  HTTP_ADDRESS,
  type Names,
  ORIGINS,
  oneOf,
  optionalText,
  TOKEN,
  text,
  type Words,
  whole,
} from './setting-kinds.ts'
import { STORE_SETTINGS } from './store-settings.ts'

export const sourceNames = (given: string): string[] => [...new Set(given.split(',').map((name) => name.trim()))]

export const SETTINGS = Type.Object(
  {
    data: text({
      variable: 'BACKBOOK_DATA',
      placeholder: '<folder>',
      minLength: 1,
      accepts: 'the path of a folder',
      unlessGiven: 'data',
      description: 'data folder',
    }),
    ...STORE_SETTINGS,
    sources: optionalText({
      variable: 'SOURCES',
      placeholder: '<names>',
      isAccepted: (given) => given === '*' || sourceNames(given).every((name) => SOURCE_NAME.test(name)),
      accepts: 'names of archives, separated by commas, or *',
      unlessGiven: null,
      otherwise: 'as it was set last',
      description: 'archives in the order in which dates show them; * for the order by agreement',
    }),
    host: text({
      variable: 'BACKBOOK_HOST',
      placeholder: '<host>',
      minLength: 1,
      accepts: 'an address or a name of this machine',
      unlessGiven: '127.0.0.1',
      description: 'address to listen on',
    }),
    port: whole({
      variable: 'BACKBOOK_PORT',
      placeholder: '<port>',
      minimum: 0,
      maximum: 65_535,
      unlessGiven: 8080,
      description: 'port to listen on; 0 takes any free port',
    }),
    admin_token: optionalText({
      variable: 'ADMIN_TOKEN',
      ...TOKEN,
      unlessGiven: null,
      description: 'token that management requests must send as x-admin-token',
    }),
    management_access: optionalText({
      variable: 'MANAGEMENT_ACCESS',
      placeholder: '<open>',
      ...oneOf('open'),
      accepts: '"open" or not set',
      unlessGiven: null,
      otherwise: 'this machine only',
      description: 'opens management to every client; has no effect with an admin token',
    }),
    local_access: optionalText({
      variable: 'LOCAL_ACCESS',
      placeholder: '<open>',
      ...oneOf('open'),
      accepts: '"open" or not set',
      unlessGiven: null,
      otherwise: 'every client needs a key',
      description: 'clients on this machine need no API key; do not use it behind a proxy',
    }),
    monitoring_token: optionalText({
      variable: 'MONITORING_TOKEN',
      ...TOKEN,
      unlessGiven: null,
      description: 'token for /metrics and the numbers of /monitoring/status; without it every client sees them',
    }),
    cors_origins: optionalText({
      variable: 'CORS_ORIGINS',
      ...ORIGINS,
      unlessGiven: null,
      description: 'origins whose web pages may read answers, * for all; never answers of management',
    }),
    frame_ancestors: optionalText({
      variable: 'FRAME_ANCESTORS',
      ...ORIGINS,
      unlessGiven: null,
      description: 'origins whose web pages may show the chart of a market in a frame, * for all',
    }),
    log_level: text({
      variable: 'LOG_LEVEL',
      placeholder: '<level>',
      ...oneOf('debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      accepts: 'debug, info, warn, error, fatal or silent',
      unlessGiven: 'info',
      description: 'least severe level that is logged',
    }),
    log_format: optionalText({
      variable: 'LOG_FORMAT',
      placeholder: '<format>',
      ...oneOf('json', 'text'),
      accepts: '"json" or "text"',
      unlessGiven: null,
      otherwise: 'text on a terminal, else JSON',
      description: 'format of log lines',
    }),
    access_log: text({
      variable: 'ACCESS_LOG',
      placeholder: '<on|off>',
      ...oneOf('on', 'off'),
      accepts: '"on" or "off"',
      unlessGiven: 'off',
      otherwise: 'off, which costs nothing',
      description: 'whether each request is logged',
    }),
    trusted_proxies: optionalText({
      variable: 'TRUSTED_PROXIES',
      placeholder: '<addresses>',
      pattern: '^[0-9A-Fa-f:., /]+$',
      isAccepted: (given) => parseProxies(given) !== undefined,
      accepts: 'addresses and networks such as 10.0.0.0/8, separated by commas',
      unlessGiven: null,
      description: 'proxies whose X-Forwarded-For the access log believes',
    }),
    accounts_url: optionalText({
      variable: 'ACCOUNTS_URL',
      placeholder: '<url>',
      pattern: '^(sqlite|postgres|postgresql)://.+',
      accepts: 'sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE',
      unlessGiven: null,
      otherwise: 'that of CATALOGUE_URL, else SQLite in the data folder',
      secret: 'password',
      description: 'database of users, keys and usage',
    }),
    plans_file: optionalText({
      variable: 'PLANS_FILE',
      placeholder: '<file>',
      minLength: 1,
      accepts: 'the path of a JSON file of plans',
      unlessGiven: null,
      otherwise: 'the built-in plans',
      description: 'file of plans that replaces the built-in ones',
    }),
    ...BILLING_SETTINGS,
    gamma_url: optionalText({
      variable: 'GAMMA_URL',
      ...HTTP_ADDRESS,
      unlessGiven: null,
      secret: 'password',
      description: 'server to query for slugs that are not stored',
    }),
    worker_threads: whole({
      variable: 'WORKER_THREADS',
      placeholder: '<count>',
      minimum: 1,
      maximum: 99,
      unlessGiven: ({ processors }) => Math.max(1, processors),
      otherwise: 'number of processors',
      description: 'threads that compute answers',
    }),
    answer_cache_mb: whole({
      variable: 'ANSWER_CACHE_MB',
      placeholder: '<megabytes>',
      minimum: 0,
      maximum: 999_999,
      unlessGiven: 48,
      description: 'memory for answers about past days; 0 caches none',
    }),
    day_files_mb: whole({
      variable: 'DAY_FILES_MB',
      placeholder: '<megabytes>',
      minimum: 1,
      maximum: 99_999_999,
      unlessGiven: 1_024,
      description: 'room in the data folder for requested day files; the oldest are removed',
    }),
    connections_max: whole({
      variable: 'CONNECTIONS_MAX',
      placeholder: '<count>',
      minimum: 1,
      maximum: 99_999,
      unlessGiven: 2_000,
      description: 'connections of replays and streams that may be open at once',
    }),
    connections_per_key_max: whole({
      variable: 'CONNECTIONS_PER_KEY_MAX',
      placeholder: '<count>',
      minimum: 1,
      maximum: 99_999,
      unlessGiven: 200,
      description: 'connections of replays and streams that one API key may have open at once',
    }),
    idle_seconds: whole({
      variable: 'IDLE_SECONDS',
      placeholder: '<seconds>',
      minimum: 1,
      maximum: 255,
      unlessGiven: 75,
      description: 'how long a connection may be silent, and a request may take to arrive; answers may take longer',
    }),
    shutdown_seconds: whole({
      variable: 'SHUTDOWN_SECONDS',
      placeholder: '<seconds>',
      minimum: 0,
      maximum: 9_999,
      unlessGiven: 30,
      description: 'how long a stopping server waits for running requests',
    }),
    drain_seconds: whole({
      variable: 'DRAIN_SECONDS',
      placeholder: '<seconds>',
      minimum: 0,
      maximum: 9_999,
      unlessGiven: ({ values }) => (values['store_url'] === undefined ? 0 : 5),
      otherwise: '5 with STORE_URL, else 0',
      description: 'how long a stopping server still takes requests, while /ready fails',
    }),
  },
  { additionalProperties: false },
)

export type Settings = Static<typeof SETTINGS>
export type SettingName = keyof Settings
export type Setting = (TString | TInteger | TOptional<TString>) & Words & Names

export const SETTING_NAMES = Object.keys(SETTINGS.properties) as SettingName[]
export const settingOf = (name: SettingName): Setting => SETTINGS.properties[name]

/** Returns the variables of a setting. The first one that is set counts. */
export const variablesOf = ({ variable, otherVariable }: Setting): string[] =>
  otherVariable === undefined ? [variable] : [variable, otherVariable]

/** Returns the flag of a setting; null for a setting that is only a secret. */
export const flagOf = (name: SettingName): string | null =>
  settingOf(name).secret === 'all' ? null : `--${name.replaceAll('_', '-')}`

/** Describes the default. */
export const defaultOf = (name: SettingName): string => defaultWords(settingOf(name))

/** The flag and the variable that name the settings file. They are not a setting, since that file cannot contain its
 *  own name. */
export const CONFIG_FLAG = '--config'
export const CONFIG_VARIABLE = 'BACKBOOK_CONFIG'
/** The settings file that is read from the working folder, if it exists there. */
export const CONFIG_FILE = 'backbook.toml'

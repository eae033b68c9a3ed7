// Reads the settings: a flag overrides a variable, a variable the file, the file the default. Records the source of
// each.

import { ConfigError } from './config-error.ts'
import type { ConfigFile } from './config-file.ts'
import { type GivenValue, readValues, TYPOS_MAX, unknownSetting } from './read-values.ts'
import {
  CONFIG_VARIABLE,
  flagOf,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type Settings,
  settingOf,
  variablesOf,
} from './settings.ts'
import { similarName } from './similar-name.ts'

export type SettingSources = {
  /** Values of the flags as written, by setting name. */
  flags?: Readonly<Partial<Record<SettingName, string>>>
  /** All environment variables. An empty one counts as not set. */
  variables?: Readonly<Record<string, string | undefined>>
  file?: ConfigFile | undefined
}
/** The source of a value: the flag, the variable or the file by name. */
export type Origin = 'default' | `flag ${string}` | `variable ${string}` | `file ${string}`
export type ResolvedSettings = { values: Settings; origins: Record<SettingName, Origin> }

/** Every variable with this prefix must be a setting of backbook, or one of CLIENT_VARIABLES. */
const OWN_PREFIX = 'BACKBOOK_'
/** Variables that clients of a server read. */
const CLIENT_VARIABLES = ['BACKBOOK_URL', 'BACKBOOK_KEY', 'BACKBOOK_API_KEY']
const SERVICE_LINK = /^BACKBOOK_(?:SERVICE_(?:HOST|PORT)|PORT_[0-9]+_|PORT=(?:tcp|udp|sctp):)/

/** Throws ConfigError with all errors in one line. */
export function readSettings(given: SettingSources, processors: number): ResolvedSettings {
  const sources = { ...given, variables: setVariables(given.variables ?? {}) }
  const wrong = [...unknownVariables(sources.variables), ...unknownKeys(sources.file)]
  const found = new Map(SETTING_NAMES.map((name) => [name, givenValue(name, settingOf(name), sources)]))
  const values = readValues(SETTINGS, (name) => found.get(name), { wrong, processors })
  if (wrong.length > 0) throw new ConfigError(wrong.join('; '))
  const origins = SETTING_NAMES.map((name) => [name, found.get(name)?.origin ?? 'default'])
  return { values, origins: Object.fromEntries(origins) }
}

type Variables = Readonly<Record<string, string>>
type SetSources = SettingSources & { variables: Variables }

/** Omits empty variables, and those that Kubernetes sets in containers beside a service named backbook: they look like
 *  settings, but no operator set them. */
function setVariables(variables: Readonly<Record<string, string | undefined>>): Variables {
  const set = Object.entries(variables).filter((each): each is [string, string] => Boolean(each[1]))
  return Object.fromEntries(set.filter(([name, value]) => !SERVICE_LINK.test(`${name}=${value}`)))
}

type Given = GivenValue & { origin: Origin }

function givenValue(name: SettingName, setting: Setting, sources: SetSources): Given | undefined {
  const { flags = {}, variables, file } = sources
  const flag = flags[name]
  if (flag !== undefined) {
    const called = flagOf(name)!
    return { value: fromText(setting, flag), origin: `flag ${called}`, called, isInFile: false }
  }
  const variable = variablesOf(setting).find((each) => variables[each] !== undefined)
  if (variable !== undefined) {
    const value = fromText(setting, variables[variable]!)
    return { value, origin: `variable ${variable}`, called: variable, isInFile: false }
  }
  if (file === undefined || !Object.hasOwn(file.values, name)) return undefined
  const called = `${name} in ${file.path}`
  return { value: file.values[name], origin: `file ${file.path}`, called, isInFile: true }
}

/** A number in another notation stays text, and is refused. */
const fromText = (setting: Setting, text: string): unknown =>
  setting.type === 'integer' && /^[0-9]{1,9}$/.test(text) ? Number(text) : text

/** Refuses a name that differs by one letter from a setting's variable: a misspelled ADMIN_TOKEN would leave
 *  management open. Names that differ more belong to other programs. */
function unknownVariables(variables: Variables): string[] {
  const names = [...SETTING_NAMES.flatMap((name) => variablesOf(settingOf(name))), CONFIG_VARIABLE]
  return Object.keys(variables).flatMap((given) => {
    if (names.includes(given) || CLIENT_VARIABLES.includes(given)) return []
    const isOurs = given.startsWith(OWN_PREFIX)
    const similar = similarName(given, names, isOurs ? TYPOS_MAX : 1)
    if (similar !== undefined) return [`unknown variable ${given}: did you mean ${similar}?`]
    return isOurs ? [`unknown variable ${given}: variables that begin with ${OWN_PREFIX} are settings of backbook`] : []
  })
}

function unknownKeys(file: ConfigFile | undefined): string[] {
  const known = { names: SETTING_NAMES, advice: 'serve --help lists the settings' }
  return Object.keys(file?.values ?? {})
    .filter((given) => !SETTING_NAMES.some((name) => name === given))
    .map((given) => unknownSetting(given, `${JSON.stringify(given)} in ${file!.path}`, known))
}

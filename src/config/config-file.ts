// The optional settings file: JSON if its name ends in .json, else TOML.

import { existsSync, readFileSync } from 'node:fs'
import { TOML } from 'bun'
import { ConfigError } from './config-error.ts'
import { CONFIG_FILE, CONFIG_FLAG, CONFIG_VARIABLE } from './settings.ts'

export type ConfigFile = { path: string; values: Readonly<Record<string, unknown>> }

/** Returns the file that the flag names, else the file that the variable names, else the file in the working folder;
 *  undefined if there is none. An empty variable counts as not set. */
export function findConfigFile(
  flag: string | undefined,
  variables: Record<string, string | undefined>,
): ConfigFile | undefined {
  const named = flag ?? (variables[CONFIG_VARIABLE] || undefined)
  if (named === undefined) return existsSync(CONFIG_FILE) ? readConfigFile(CONFIG_FILE) : undefined
  if (existsSync(named)) return readConfigFile(named)
  const by = flag === undefined ? CONFIG_VARIABLE : CONFIG_FLAG
  throw new ConfigError(`${by} must name a TOML or JSON file of settings, got ${JSON.stringify(named)}: no such file`)
}

/** Throws ConfigError. */
export function readConfigFile(path: string): ConfigFile {
  let values: unknown
  try {
    const text = readFileSync(path, 'utf8')
    values = path.endsWith('.json') ? JSON.parse(text) : TOML.parse(text)
  } catch (error) {
    throw new ConfigError(`cannot read ${path}: ${withoutValues((error as Error).message)}`)
  }
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
    return { path, values: values as Record<string, unknown> }
  }
  throw new ConfigError(`cannot read ${path}: it must hold an object of settings`)
}

/** Removes quoted text: what a parser could not read may be a secret. */
const withoutValues = (message: string) => message.replace(/:? ?".*$/s, '')

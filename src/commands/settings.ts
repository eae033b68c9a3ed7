// Adds the flags of settings to commands, and reads the configuration of a command.

import { availableParallelism } from 'node:os'
import { type Command, Option } from 'commander'
import { type Config, configFrom } from '../config/config.ts'
import { type ConfigFile, findConfigFile } from '../config/config-file.ts'
import { type ResolvedSettings, readSettings } from '../config/read-settings.ts'
import {
  CONFIG_FILE,
  CONFIG_FLAG,
  CONFIG_VARIABLE,
  defaultOf,
  flagOf,
  SETTING_NAMES,
  type SettingName,
  settingOf,
} from '../config/settings.ts'
import { terminal } from './terminal/terminal.ts'

/** The flags as commander parsed them. The values of flags for settings are texts. */
export type CommandOptions = Readonly<Record<string, unknown>>

/** Adds the flags of some settings, and --config. `configOf` checks the values, together with those of the environment
 *  and the file. */
export function addSettings(command: Command, names: readonly SettingName[] = SETTING_NAMES): Command {
  const text = `TOML or JSON file of settings (default: ${CONFIG_FILE} if it exists; variable ${CONFIG_VARIABLE})`
  return addFlags(command, names).option(`${CONFIG_FLAG} <file>`, text)
}

/** Adds only the flags, for a command whose --config has another meaning. */
export function addFlags(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const flag = flagOf(name)
    const { placeholder, description, variable, choices } = settingOf(name)
    const text = `${description} (default: ${defaultOf(name)}; variable ${variable})`
    if (flag === null) continue
    const option = new Option(`${flag} ${placeholder}`, text)
    // The help shows the choices, and shells complete them; `readSettings` checks the value.
    if (choices !== undefined) option.argChoices = [...choices]
    command.addOption(option)
  }
  return command
}

/** Throws ConfigError. */
export function configOf(options: CommandOptions): Config {
  return resolvedSettings(options).config
}

/** Returns the configuration with the source of each setting. Throws ConfigError. */
export function resolvedSettings(
  options: CommandOptions,
): ResolvedSettings & { config: Config; file: ConfigFile | undefined } {
  const file = findConfigFile(options['config'] as string | undefined, terminal().env)
  const held = readSettings({ flags: flagsAmong(options), variables: terminal().env, file }, availableParallelism())
  return { ...held, config: configFrom(held.values), file }
}

function flagsAmong(options: CommandOptions): Partial<Record<SettingName, string>> {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const flag = flagOf(name)
    const value = flag === null ? undefined : options[new Option(`${flag} <value>`).attributeName()]
    if (typeof value === 'string') flags[name] = value
  }
  return flags
}

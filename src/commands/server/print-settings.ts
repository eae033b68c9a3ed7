// Prints the settings for `serve --print-config`: each with its source, with secrets masked.

import type { ConfigFile } from '../../config/config-file.ts'
import type { ResolvedSettings } from '../../config/read-settings.ts'
import { defaultOf, SETTING_NAMES, type SettingName, settingOf } from '../../config/settings.ts'
import { table } from '../terminal/table.ts'

const MASK = '********'

/** Returns a table with one line per setting. */
export function settingsText({ values, origins }: ResolvedSettings): string {
  const rows = SETTING_NAMES.map((name) => {
    const value = shown(name, values[name])
    return [name, value ?? `(${defaultOf(name)})`, origins[name]]
  })
  return table(['SETTING', 'VALUE', 'FROM'], rows)
}

export function settingsJson({ values, origins }: ResolvedSettings, file: ConfigFile | undefined) {
  const settings = SETTING_NAMES.map((name) => [name, { value: shown(name, values[name]), from: origins[name] }])
  return { file: file?.path ?? null, settings: Object.fromEntries(settings) }
}

function shown(name: SettingName, value: string | number | undefined): string | number | null {
  const { secret } = settingOf(name)
  if (value === undefined) return null
  if (secret === 'all') return MASK
  return secret === 'password' ? withoutPassword(String(value)) : value
}

/** Masks the password of an address. The password ends at the last @ before the path. Also masks secrets in the
 *  query. */
export const withoutPassword = (address: string): string =>
  address
    .replace(/^([a-z]+:\/\/[^/?#:@]*):[^/?#]*@/i, `$1:${MASK}@`)
    .replace(/([?&][^=&#]*(?:password|secret|token|key)[^=&#]*=)[^&#]*/gi, `$1${MASK}`)

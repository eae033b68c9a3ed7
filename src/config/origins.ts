// Origins of other sites, parsed from a setting.

import type { Origins } from '../http/server/cors.ts'
import { ConfigError } from './config-error.ts'
import { settingOf } from './settings.ts'

/** Throws ConfigError. */
export function originsOf(setting: 'cors_origins' | 'frame_ancestors', text: string | undefined): Origins {
  if (text === undefined) return null
  return text === '*' ? '*' : new Set(text.split(',').map((origin) => asBrowsersWriteIt(setting, origin.trim())))
}

/** Normalizes an origin as browsers do: the host in lower case, without a scheme's default port. */
function asBrowsersWriteIt(setting: 'cors_origins' | 'frame_ancestors', origin: string): string {
  if (URL.canParse(origin)) return new URL(origin).origin
  const { variable, accepts } = settingOf(setting)
  throw new ConfigError(`${variable} must be ${accepts}, got ${JSON.stringify(origin)}`)
}

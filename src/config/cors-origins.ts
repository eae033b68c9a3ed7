// The origins whose pages may read answers, from the text of their setting.

import type { CorsOrigins } from '../http/server/cors.ts'
import { ConfigError } from './config-error.ts'
import { settingOf } from './settings.ts'

/** Throws ConfigError. */
export function corsOrigins(text: string | undefined): CorsOrigins {
  if (text === undefined) return null
  return text === '*' ? '*' : new Set(text.split(',').map((origin) => asBrowsersWriteIt(origin.trim())))
}

/** Hosts are in lower case there, and the default port of a scheme is left out. */
function asBrowsersWriteIt(origin: string): string {
  if (URL.canParse(origin)) return new URL(origin).origin
  const { variable, accepts } = settingOf('cors_origins')
  throw new ConfigError(`${variable} must be ${accepts}, got ${JSON.stringify(origin)}`)
}

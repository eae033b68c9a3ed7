// The origins whose pages may read answers, parsed from their setting.

import type { CorsOrigins } from '../http/server/cors.ts'
import { ConfigError } from './config-error.ts'
import { settingOf } from './settings.ts'

/** Throws ConfigError. */
export function corsOrigins(text: string | undefined): CorsOrigins {
  if (text === undefined) return null
  return text === '*' ? '*' : new Set(text.split(',').map((origin) => asBrowsersWriteIt(origin.trim())))
}

/** Normalizes an origin as browsers do: the host in lower case, without a scheme's default port. */
function asBrowsersWriteIt(origin: string): string {
  if (URL.canParse(origin)) return new URL(origin).origin
  const { variable, accepts } = settingOf('cors_origins')
  throw new ConfigError(`${variable} must be ${accepts}, got ${JSON.stringify(origin)}`)
}

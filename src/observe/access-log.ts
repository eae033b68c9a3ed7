// Writes the access log: one line for each request, when its last byte is sent.

import type { Exchange, ExchangeObserver } from './exchange.ts'
import type { Log } from './log/log.ts'

const PATH_MAX = 512
const USER_AGENT_MAX = 200

/** Returns an observer that logs requests, without queries and without headers except the user agent. */
export function accessLog(log: Pick<Log, 'info' | 'withoutSecrets'>): ExchangeObserver {
  // Removes secrets before the text is cut, because the first part of a secret would not be recognised.
  const shortened = (text: string, length: number) => cut(log.withoutSecrets(text), length)
  return ({ key, ...exchange }: Exchange) => {
    log.info(
      {
        request_id: exchange.requestId,
        method: exchange.method,
        path: shortened(exchange.path, PATH_MAX),
        route: exchange.route,
        status: exchange.status,
        bytes: exchange.bytes,
        ...(exchange.end === 'whole' ? {} : { body: exchange.end }),
        first_byte_ms: rounded(exchange.firstByteMs),
        duration_ms: rounded(exchange.durationMs),
        key_id: key?.keyId ?? null,
        user_id: key?.userId ?? null,
        address: exchange.address,
        user_agent: shortened(exchange.userAgent, USER_AGENT_MAX),
      },
      'request',
    )
  }
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)
const rounded = (ms: number) => Math.round(ms * 1000) / 1000

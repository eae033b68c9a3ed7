// Tickets for downloads by browsers, which cannot set headers on a link. A link with a ticket works for a minute
// without a key. A ticket holds the key's record without its secret, sealed for one path and query.

import { randomBytes } from 'node:crypto'
import { openedText, sealedText } from '../../../workers/bytes/sealed-text.ts'
import type { ActiveKey } from '../../accounts/keys/key-directory.ts'
import type { StoreSecret } from '../answers/entity-tag.ts'
import { RequestFailure } from '../server/request-failure.ts'

export const TICKET_MS = 60_000
/** The name of the query parameter that holds the ticket. The parameter comes after all others. */
export const TICKET = 'ticket'

export type DownloadTickets = {
  /** Issues a ticket for `target`, the exact path and query of the later request. */
  issue(key: ActiveKey, target: string): Promise<{ url: string; expiresMs: number }>
  /** Returns the key of a request's ticket. Rejects with RequestFailure. */
  keyOf(request: Request): Promise<ActiveKey>
}

/** Returns a secret that no other process has. */
export function processSecret(): StoreSecret {
  const secret = new Uint8Array(randomBytes(32))
  return async () => secret
}

export function downloadTickets(secretOf: StoreSecret, nowMs: () => number): DownloadTickets {
  return {
    async issue(key, target) {
      const expiresMs = nowMs() + TICKET_MS
      const ticket = sealedText(await secretOf(), purposeOf(target), JSON.stringify([expiresMs, key]))
      return { url: `${target}${target.includes('?') ? '&' : '?'}${TICKET}=${ticket}`, expiresMs }
    },
    async keyOf({ url }) {
      const [, target = '', ticket = ''] = TICKETED.exec(url) ?? []
      const opened = openedText(await secretOf(), purposeOf(target), ticket)
      const [expiresMs, key] = opened === undefined ? [0] : (JSON.parse(opened) as [number, ActiveKey])
      if (key !== undefined && nowMs() < expiresMs && expiresMs <= nowMs() + TICKET_MS) return key
      const message = 'The ticket has expired, is damaged, or is for another path: request a new one'
      throw new RequestFailure('ticket_invalid', message, {
        headers: { 'www-authenticate': 'Bearer realm="backbook"' },
      })
    },
  }
}

const TICKETED = new RegExp(`^[a-z]+://[^/]*(/.*)[?&]${TICKET}=([A-Za-z0-9_-]+)$`)

export const hasTicket = ({ url }: Request): boolean => TICKETED.test(url)

const purposeOf = (target: string) => ['download-ticket-2', target] as const

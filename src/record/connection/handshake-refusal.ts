// Explains why a server refused a handshake, and what to change.

import type { Venue } from '../../../storage/venue.ts'
import { isReplay, withoutSecrets } from '../socket/replay-stamp.ts'
import type { Handshake, SocketEnd } from '../socket/web-socket.ts'

export function handshakeRefusal(
  venue: Venue,
  handshake: Handshake,
  { status, reason }: Pick<SocketEnd, 'status' | 'reason'>,
): string {
  const answer = reason === '' ? `${status}` : `${status} (${reason})`
  return `the connection to ${withoutSecrets(handshake.url)} is refused with ${answer}: ${advice(venue, handshake, status)}`
}

function advice(venue: Venue, { url, headers }: Handshake, status: number | null): string {
  const setting = `${venue}.ws_url`
  const isSigned = Object.keys(headers).length > 0
  const hasKey = new URL(url).searchParams.has('key')
  if (status === 401) {
    if (hasKey) return `the key in ${setting} is not accepted`
    if (isReplay(url)) return `${setting} has no key`
    if (isSigned) return 'the API key is not accepted: check its id, its private key, and the clock of this machine'
    return venue === 'kalshi' ? 'it is not signed: set kalshi.key_id and kalshi.private_key_file' : `check ${setting}`
  }
  if (status !== 403) return `check ${setting}`
  const key = hasKey ? `the key in ${setting}, or ` : isSigned ? 'the API key, or ' : ''
  return `${key}this machine has no access`
}

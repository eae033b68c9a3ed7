// Opens one connection to each venue, closes it, and reports what went wrong.

import { isRefusal } from '../../../storage/retry/http-client.ts'
import { inTime, systemTimers } from '../../../storage/retry/timers.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { RecordConfig } from '../config/record-config.ts'
import { handshakeRefusal } from '../connection/handshake-refusal.ts'
import type { Clock } from '../connection/time.ts'
import type { VenueProtocol } from '../connection/venue-protocol.ts'
import { KalshiProtocol } from '../kalshi/protocol.ts'
import { PolymarketProtocol } from '../polymarket/protocol.ts'
import { withoutSecrets } from '../socket/replay-stamp.ts'
import { type Handshake, type OpenedSocket, openWebSocket, type SocketEnd } from '../socket/web-socket.ts'

const CONNECT_MS = 10_000

/** Returns a sentence for each venue that accepts no connection. */
export async function tryConnections(
  { polymarket, kalshi }: RecordConfig,
  clock: Pick<Clock, 'wallNs'>,
): Promise<Map<Venue, string>> {
  const shared = { rest: null, timers: systemTimers, random: Math.random }
  const protocols: VenueProtocol[] = []
  if (kalshi !== null) protocols.push(new KalshiProtocol({ ...shared, config: kalshi, clock }))
  if (polymarket !== null) {
    protocols.push(new PolymarketProtocol({ ...shared, config: polymarket, listens: false, hint: () => undefined }))
  }
  const tried = protocols.map(
    async (protocol) => [protocol.venue, await failureOf(protocol.venue, protocol.handshake())] as const,
  )
  const failures = new Map<Venue, string>()
  for (const [venue, failure] of await Promise.all(tried)) if (failure !== null) failures.set(venue, failure)
  return failures
}

async function failureOf(venue: Venue, handshake: Handshake): Promise<string | null> {
  const cannot = `the connection to ${withoutSecrets(handshake.url)} cannot be opened`
  let socket: OpenedSocket | undefined
  const opening = new Promise<string | null>((resolve) => {
    socket = openWebSocket()(handshake, [], {
      opened: () => resolve(null),
      ended: (end) =>
        resolve(isRefusal(end.status) ? handshakeRefusal(venue, handshake, end) : `${cannot}: ${whyNot(end)}`),
      text: () => undefined,
      heard: () => undefined,
    })
  })
  const late = () => new Error(`${cannot}: it did not open within ${CONNECT_MS / 1_000} s`)
  try {
    return await inTime(() => opening, CONNECT_MS, late)
  } catch (error) {
    return (error as Error).message
  } finally {
    socket?.terminate()
  }
}

function whyNot({ status, reason, code }: SocketEnd): string {
  if (status !== null) return `the answer was ${status}${reason === '' ? '' : ` (${reason})`}`
  // The runtime repeats the address.
  return reason.replace(/^WebSocket connection to .* failed: /, '') || `it was closed with ${code}`
}

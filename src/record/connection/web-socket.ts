// A WebSocket client for the recorder: opens with headers, reports events through callbacks, and explains why a
// server refused a handshake. Events carry no timestamps.

import { VENUES, type Venue } from '../../../storage/venue.ts'

export type Handshake = {
  url: string
  /** The headers may contain a signature, so they are neither logged nor recorded. */
  headers: Record<string, string>
  /** Advice to log if the venue refuses a handshake without a signature. */
  ifUnsigned?: string
}

/** How a socket ended. */
export type SocketEnd = {
  /** Code of the close frame; 1006 without one. */
  code: number
  /** Reason from the close frame, or from the body of the response that refused the handshake; without either, the
   *  runtime's error message. */
  reason: string
  /** HTTP status of a refused handshake; null if there was no response or the socket was open. */
  status: number | null
  retryAfter: string | null
}

/** Whether the close code means that the server sent everything (1000 or 1001). */
export const isOrderly = ({ code }: SocketEnd): boolean => code === 1_000 || code === 1_001

export type SocketEvents = {
  /** Called when the socket has opened. `protocol` is the subprotocol that the server chose; empty if none. */
  opened(protocol: string): void
  text(text: string): void
  /** Called when a Ping or Pong has arrived. The runtime answers Pings by itself. */
  alive(): void
  /** Called once, as the last event, when the socket has ended. */
  ended(end: SocketEnd): void
}

export interface OpenedSocket {
  /** Sends a text. Returns false if the socket is not open. */
  send(text: string): boolean
  ping(payload: string): void
  /** Starts the closing handshake. */
  close(): void
  /** Closes the socket at once, even if the other side does not answer. */
  terminate(): void
}

/** Opens a socket, and offers the server these subprotocols. Throws if the URL is invalid. */
export type OpenSocket = (handshake: Handshake, protocols: string[], events: SocketEvents) => OpenedSocket

type TlsOptions = { ca?: string }

/** Returns a function that opens sockets with the runtime's WebSocket. Certificates are always checked; `ca` is
 *  trusted in addition to the usual authorities. */
export const openWebSocket =
  (tls: TlsOptions = {}): OpenSocket =>
  ({ url, headers }, protocols, events) => {
    const socket = new WebSocket(url, { headers, protocols, tls: { ...tls, rejectUnauthorized: true } })
    let answer: Refusal = { status: null, retryAfter: null, reason: '' }
    let failure = ''
    let hasEnded = false
    const end = (code: number, reason: string) => {
      if (hasEnded) return
      hasEnded = true
      events.ended({ ...answer, code, reason: reason || (answer.status === null ? failure : answer.reason) })
    }
    // The runtime sends this non-standard event for the response to the handshake, whatever the response's status.
    socket.addEventListener('handshake' as 'message', (event: MessageEvent) => {
      answer = refusalOf(event.data)
    })
    socket.addEventListener('open', () => events.opened(socket.protocol))
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer | Uint8Array>) => {
      if (!hasEnded) events.text(typeof data === 'string' ? data : Buffer.from(data as Uint8Array).toString())
    })
    for (const kind of ['ping', 'pong'] as const) socket.addEventListener(kind as 'message', () => events.alive())
    socket.addEventListener('error', (event) => {
      const message = 'message' in event ? String(event.message) : 'the socket failed'
      // The runtime's message contains the URL, and a replay's URL contains its key.
      failure = message.replace(/'?wss?:\/\/\S*/g, () => withoutSecrets(url))
    })
    socket.addEventListener('close', ({ code, reason }: CloseEvent) => end(code, reason))
    return {
      send(text) {
        if (socket.readyState !== WebSocket.OPEN) return false
        socket.send(text)
        return true
      },
      ping(payload) {
        if (socket.readyState === WebSocket.OPEN) socket.ping(payload)
      },
      close() {
        socket.close(1000)
      },
      terminate() {
        socket.terminate()
        end(1006, 'ended by the recorder')
      },
    }
  }

type Refusal = Pick<SocketEnd, 'status' | 'retryAfter' | 'reason'>

function refusalOf(answer: unknown): Refusal {
  const { statusCode, rawHeaders, body } = (answer ?? {}) as {
    statusCode?: number
    rawHeaders?: string[]
    body?: Uint8Array
  }
  if (statusCode === undefined || statusCode === 101) return { status: null, retryAfter: null, reason: '' }
  const name = (rawHeaders ?? []).findIndex((word, i) => i % 2 === 0 && word.toLowerCase() === 'retry-after')
  const retryAfter = name < 0 ? null : (rawHeaders?.[name + 1] ?? null)
  return { status: statusCode, retryAfter, reason: reasonIn(body) }
}

const REASON_LENGTH_MAX = 300

/** Returns the reason in the body of a refusal, in the forms that Kalshi and backbook use; empty for other forms. */
function reasonIn(body: Uint8Array | undefined): string {
  try {
    const { detail, error, message } = JSON.parse(Buffer.from(body ?? []).toString()) ?? {}
    const reason = [detail, error?.message, error, message].find((each) => typeof each === 'string') ?? ''
    return reason.slice(0, REASON_LENGTH_MAX)
  } catch {
    return ''
  }
}

export const STAMPED_PROTOCOL = 'backbook-stamped'

const REPLAY_PATH = new RegExp(`/replay/(?:${VENUES.join('|')})/`)

/** Whether the URL is that of a replay, which can send stamps. */
export const isReplay = (url: string): boolean => REPLAY_PATH.test(new URL(url).pathname)

/** Returns a URL without its query, which may contain a key, and without user name and password. */
export function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A frame without its stamp; times in Unix ms. `receivedMs` is null if the receive time is not known. */
type Stamped = { text: string; eventMs: number; receivedMs: number | null }

const STAMP = /^(\d{1,16}) (\d{1,16}|-)\n/

/** Splits a frame into stamp and text. Returns undefined if it has no stamp, such as the answer to a heartbeat. */
export function readStamp(frame: string): Stamped | undefined {
  const stamp = STAMP.exec(frame)
  if (stamp === null) return undefined
  const [line, event, received] = stamp
  return {
    text: frame.slice(line.length),
    eventMs: Number(event),
    receivedMs: received === '-' ? null : Number(received),
  }
}

export function handshakeRefusal(
  venue: Venue,
  handshake: Handshake,
  { status, reason }: Pick<SocketEnd, 'status' | 'reason'>,
): string {
  const answer = reason === '' ? `${status}` : `${status} (${reason})`
  return `the connection to ${withoutSecrets(handshake.url)} is refused with ${answer}: ${advice(venue, handshake, status)}`
}

function advice(venue: Venue, { url, headers, ifUnsigned }: Handshake, status: number | null): string {
  const setting = `${venue}.ws_url`
  const isSigned = Object.keys(headers).length > 0
  const hasKey = new URL(url).searchParams.has('key')
  if (status === 401) {
    if (hasKey) return `the key in ${setting} is not accepted`
    if (isReplay(url)) return `${setting} has no key`
    if (isSigned) return 'the API key is not accepted: check its id, its private key, and the clock of this machine'
    return ifUnsigned ?? `check ${setting}`
  }
  if (status !== 403) return `check ${setting}`
  const key = hasKey ? `the key in ${setting}, or ` : isSigned ? 'the API key, or ' : ''
  return `${key}this machine has no access`
}

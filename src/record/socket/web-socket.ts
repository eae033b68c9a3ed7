// A WebSocket to a venue, as the recorder uses it: opened with headers, stamped by nobody, told about by callbacks.

import { withoutSecrets } from './replay-stamp.ts'

export type Handshake = {
  url: string
  /** They may hold a signature: they are neither logged nor recorded. */
  headers: Record<string, string>
}

/** How a socket ended. */
export type SocketEnd = {
  /** Of the close frame; 1006 without one. */
  code: number
  /** From the close frame, from the body of the answer that refused the handshake, or why there was no answer. */
  reason: string
  /** The answer to a handshake that was refused; null where there was none, or the socket was open. */
  status: number | null
  retryAfter: string | null
}

/** Whether the close says that all is said. */
export const isOrderly = ({ code }: SocketEnd): boolean => code === 1_000 || code === 1_001

export type SocketEvents = {
  /** `protocol` is the one that the server chose, empty for none. */
  opened(protocol: string): void
  text(text: string): void
  /** A frame that is no text: a Ping or a Pong, which the runtime answers by itself. */
  heard(): void
  /** Told once, and nothing after it. */
  ended(end: SocketEnd): void
}

export interface OpenedSocket {
  /** False where the socket is not open. */
  send(text: string): boolean
  ping(payload: string): void
  /** Says good-bye. */
  close(): void
  /** Ends at once, also where the other side does not answer. */
  terminate(): void
}

/** Opens a socket, and offers the server these subprotocols. It throws for an address that is none. */
export type OpenSocket = (handshake: Handshake, protocols: string[], events: SocketEvents) => OpenedSocket

type TlsOptions = { ca?: string }

/** Sockets of the runtime. A certificate is checked always; `ca` is trusted beside the usual ones. */
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
    // Not in the standard: the answer to the handshake, whatever it was.
    socket.addEventListener('handshake' as 'message', (event: MessageEvent) => {
      answer = refusalOf(event.data)
    })
    socket.addEventListener('open', () => events.opened(socket.protocol))
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer | Uint8Array>) => {
      if (!hasEnded) events.text(typeof data === 'string' ? data : Buffer.from(data as Uint8Array).toString())
    })
    for (const kind of ['ping', 'pong'] as const) socket.addEventListener(kind as 'message', () => events.heard())
    socket.addEventListener('error', (event) => {
      const message = 'message' in event ? String(event.message) : 'the socket failed'
      // The runtime names the address, and a replay's has its key in it.
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

/** What a body says of a refusal, as Kalshi and backbook say it; empty where it is in no known form. */
function reasonIn(body: Uint8Array | undefined): string {
  try {
    const { detail, error, message } = JSON.parse(Buffer.from(body ?? []).toString()) ?? {}
    const reason = [detail, error?.message, error, message].find((each) => typeof each === 'string') ?? ''
    return reason.slice(0, REASON_LENGTH_MAX)
  } catch {
    return ''
  }
}

// A replay that stamps its frames begins each with a line, `<event ms> <received ms or ->`, that says when it happened.
// Without that, messages of past days would be placed at the moment at which they were replayed.

export const STAMPED_PROTOCOL = 'backbook-stamped'

const REPLAY_PATHS = ['/replay/polymarket/ws/market', '/replay/kalshi/trade-api/ws/v2']

/** Whether this is the address of a replay, which is asked for stamps. */
export const isReplay = (url: string): boolean => REPLAY_PATHS.some((path) => new URL(url).pathname.endsWith(path))

/** An address without its query, which may hold a key, and without a password. */
export function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

export type Stamped = { text: string; eventMs: number; receivedMs: number | null }

const STAMP = /^(\d{1,16}) (\d{1,16}|-)\n/

/** Undefined for a frame without a stamp, such as the answer to a heartbeat. */
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

// Reads the stamp of a replayed frame: its first line, `<event ms> <received ms or ->`, has the original times. Without
// it, messages of past days would be stored at the time of the replay.

export const STAMPED_PROTOCOL = 'backbook-stamped'

const REPLAY_PATHS = ['/replay/polymarket/ws/market', '/replay/kalshi/trade-api/ws/v2']

/** Whether the URL is that of a replay, which can send stamps. */
export const isReplay = (url: string): boolean => REPLAY_PATHS.some((path) => new URL(url).pathname.endsWith(path))

/** Returns a URL without its query, which may contain a key, and without user name and password. */
export function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A frame without its stamp; times in Unix ms. `receivedMs` is null if the receive time is not known. */
export type Stamped = { text: string; eventMs: number; receivedMs: number | null }

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

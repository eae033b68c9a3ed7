// A replay that stamps its frames says before each text when it happened: `<event ms> <received ms or ->` and a newline.
// Without that, messages of past days would be placed at the moment at which they were replayed.

export const STAMPED_PROTOCOL = 'backbook-stamped'

const REPLAY_PATHS = ['/replay/polymarket/ws/market', '/replay/kalshi/trade-api/ws/v2']

/** Whether this is the address of a replay, which is asked for stamps. */
export const isReplay = (url: string): boolean => REPLAY_PATHS.some((path) => new URL(url).pathname.endsWith(path))

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

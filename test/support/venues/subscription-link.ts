// The socket of Kalshi's subscriptions, played by a test. Parses the commands from their texts.

import type { Link } from '../../../src/record/connection/venue-protocol.ts'
import { msOf } from '../../../src/record/time/clock.ts'
import type { Channel, Command } from '../../../src/record/venues/kalshi/commands.ts'
import type { FakeTime } from './fake-time.ts'

export type SentCommand = { id: number; command: Command }

type Printed = {
  id: number
  params: { channels?: Channel[]; market_tickers?: string[]; sids?: [number]; action?: 'add_markets' }
}

function commandIn({ id, params }: Printed): SentCommand {
  const { channels, market_tickers: tickers = [], sids, action } = params
  if (channels !== undefined) return { id, command: { cmd: 'subscribe', channels, tickers } }
  return { id, command: { cmd: action!, sid: sids![0], tickers } }
}

type LinkCalls = Pick<Link, 'state' | 'reconnect'> & { sent(command: SentCommand): void }

/** Returns the link. `due` handles the deadlines that have passed. */
export function subscriptionLink({ clock, timers }: FakeTime, due: (nowMs: number) => void, calls: LinkCalls) {
  const nowMs = () => msOf(clock.monoNs())
  return {
    get monoMs() {
      return nowMs()
    },
    wakeAt: (atMs: number) => void timers.after(atMs - nowMs(), () => due(nowMs())),
    send: (text: string) => {
      calls.sent(commandIn(JSON.parse(text)))
      return true
    },
    ...calls,
  }
}

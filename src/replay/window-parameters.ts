// The parameters that all replays share: start, end and speed.

import { moment, momentRange } from '../http/parameters/moment.ts'
import { isUtcDay, type Parameter, parameter } from '../http/parameters/parameter.ts'
import { parametersInvalid, quoted } from '../http/server/request-failure.ts'
import type { ReplayWindow } from './player.ts'

export const SPEED_MAX = 10_000

export const WINDOW: Readonly<Record<'from' | 'to', Parameter>> = {
  from: moment('Start of the replay: records after this moment; for a date, all of its records'),
  to: moment('End of the replay, inclusive; a date or a second counts as a whole'),
}

export const SPEED: Readonly<Record<'speed', Parameter>> = {
  speed: parameter({
    accepts: `a number from 0 to ${SPEED_MAX}, with up to three decimals`,
    matches: (text) => /^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) <= SPEED_MAX,
    description: '1 is real time, 60 a minute in a second, 0 as fast as the client takes it',
    unlessGiven: 1,
  }),
}

/** Parses the parameters. Throws RequestFailure. */
export function windowIn({ from = '', to = '', speed = '1' }: Readonly<Record<string, string>>): ReplayWindow {
  const { fromMs, toMs } = momentRange(from, to)
  if (toMs <= fromMs) {
    throw parametersInvalid([
      { field: 'to', message: `must be after from, got ${quoted(to)} with from ${quoted(from)}` },
    ])
  }
  return { fromMs: isUtcDay(from) ? fromMs - 1 : fromMs, toMs, speed: Number(speed) }
}

// Makes small layered stores for the tests, from lines of other tests of the model, and prints their spans.

import { readCapture } from '../capture.ts'
import type { JsonObject } from '../json.ts'
import { capture, DAY, NOON, NOW, received, TICKER } from '../lines.ts'
import type { Venue } from '../message.ts'
import { LayeredModel, type LayeredSettings } from './layered-model.ts'

const HALF_DAY_MS = 43_200_000
export const DAY_MS = 2 * HALF_DAY_MS
/** Returns the date `days` days after `DAY`. */
export const day = (days: number): string => new Date(Date.parse(DAY) + days * DAY_MS).toISOString().slice(0, 10)

/** Loads the lines as one capture. `source` is `own` or an archive's name. */
export function loadLines(model: LayeredModel, source: string, lines: JsonObject[]): void {
  model.load(source === 'own' ? null : source, readCapture(source, capture(...lines)), NOW)
}

/** Loads one capture of each source. */
export function layered(captures: Record<string, JsonObject[]>, settings?: LayeredSettings): LayeredModel {
  const model = new LayeredModel(settings)
  for (const [source, lines] of Object.entries(captures)) loadLines(model, source, lines)
  return model
}

/** Prints each span as `source from to`, ms after the noon of the date; `start` and `end` mean the bounds of the
 *  date. */
export function spansIn(model: LayeredModel, date = DAY, venue: Venue = 'kalshi', market: string = TICKER): string[] {
  const noon = Date.parse(date) + HALF_DAY_MS
  const print = (ms: number) => (ms === -HALF_DAY_MS ? 'start' : ms === HALF_DAY_MS ? 'end' : String(ms))
  return model
    .spans(venue, market, date)
    .map(({ source, fromMs, toMs }) => `${source ?? 'own'} ${print(fromMs - noon)} ${print(toMs - noon)}`)
}

/** Makes a gap of the Kalshi market, received at its end. */
export const gapOf = (from: number, to: number): JsonObject =>
  received(to, {
    ...{ type: 'gap', venue: 'kalshi', market: TICKER },
    msg: { reason: 'disconnect', from: NOON + from, to: NOON + to },
  })

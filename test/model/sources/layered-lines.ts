// Small layered stores for the tests, of lines that other tests of the model are made of, and their spans as text.

import { readCapture } from '../capture.ts'
import type { JsonObject } from '../json.ts'
import { capture, DAY, NOON, NOW, received, TICKER } from '../lines.ts'
import type { Venue } from '../message.ts'
import { LayeredModel, type LayeredSettings } from './layered-model.ts'

const HALF_DAY_MS = 43_200_000
export const DAY_MS = 2 * HALF_DAY_MS
/** The date so many days after `DAY`. */
export const day = (days: number): string => new Date(Date.parse(DAY) + days * DAY_MS).toISOString().slice(0, 10)

/** Loads the lines as one capture. `source` is `own` or an archive's name. */
export function loadLines(model: LayeredModel, source: string, lines: JsonObject[]): void {
  model.load(source === 'own' ? null : source, readCapture(source, capture(...lines)), NOW)
}

/** One capture of each source. */
export function layered(captures: Record<string, JsonObject[]>, settings?: LayeredSettings): LayeredModel {
  const model = new LayeredModel(settings)
  for (const [source, lines] of Object.entries(captures)) loadLines(model, source, lines)
  return model
}

/** Each span prints as `source from to`, in ms after the noon of the date; `start` and `end` are those of the date. */
export function spansIn(model: LayeredModel, date = DAY, venue: Venue = 'kalshi', market: string = TICKER): string[] {
  const noon = Date.parse(date) + HALF_DAY_MS
  const print = (ms: number) => (ms === -HALF_DAY_MS ? 'start' : ms === HALF_DAY_MS ? 'end' : String(ms))
  return model
    .spans(venue, market, date)
    .map(({ source, fromMs, toMs }) => `${source ?? 'own'} ${print(fromMs - noon)} ${print(toMs - noon)}`)
}

/** A gap of the Kalshi market, received at its end. */
export const gapOf = (from: number, to: number): JsonObject =>
  received(to, {
    ...{ type: 'gap', venue: 'kalshi', market: TICKER },
    msg: { reason: 'disconnect', from: NOON + from, to: NOON + to },
  })

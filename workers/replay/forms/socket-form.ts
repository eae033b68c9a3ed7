// The form in which a venue's socket sends a message today, for those that are stored in another: whether a shape has
// it is known by its first row.

import type { Venue } from '../../../storage/venue.ts'
import type { DecodedBlock, DecodedShape } from '../../block/decoded-block.ts'
import type { JsonObject } from '../../venues/described-message.ts'
import { parseExactly } from './exact-json.ts'
import { kalshiForm } from './kalshi-form.ts'
import { polymarketForm } from './polymarket-form.ts'

/** `isWhole`: the text is all that the venue would send, and not only the part under `msg`. */
export type SocketText = { text: string; isWhole: boolean }

/** Null for a message that the socket has no form for. */
export type Reform = (text: string) => SocketText | null

/** Of each shape; undefined where its messages are sent as they are stored. `textOf` gives the message of a record. */
export function reforms(
  venue: Venue,
  market: string,
  { shapes, shapeIndexes }: DecodedBlock,
  textOf: (record: number) => string,
): (Reform | undefined)[] {
  return shapes.map(({ shape }, index) => {
    const form = (message: JsonObject) => formOf(venue, market, shape, message)
    const first = shapeIndexes.indexOf(index)
    if (first < 0 || (!isText(shape) && form(parseExactly(textOf(first))) === undefined)) return undefined
    return (text) => {
      const found = form(parseExactly(text))
      if (found === undefined) return { text, isWhole: shape.envelopeType === null }
      return found && { text: JSON.stringify(found.message), isWhole: found.isWhole }
    }
  })
}

function formOf(venue: Venue, market: string, shape: DecodedShape['shape'], message: JsonObject) {
  if (venue === 'kalshi') return kalshiForm({ ...shape, isYesScale: isYesScale(shape) }, market, message)
  const found = polymarketForm(shape.kind, message)
  return found && { message: found, isWhole: true }
}

/** Its rows are whole texts, and each may look different. */
const isText = ({ parts: [first, ...others] }: DecodedShape['shape']): boolean =>
  others.length === 0 && typeof first === 'object' && 'slot' in first

/** Whether the price of a NO bid is that of the ask for YES. */
const isYesScale = ({ levels, changes }: DecodedShape['shape']): boolean =>
  levels.some(({ side, isComplement }) => side === 'ask' && !isComplement) ||
  (changes !== null && 'isYesScale' in changes)

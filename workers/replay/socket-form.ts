// Converts stored messages to the form in which the venue's socket sends them today. The first row of a shape decides
// whether the messages of the shape need a conversion.

import type { Venue } from '../../storage/venue.ts'
import type { DecodedBlock, DecodedShape } from '../block/decoded-block.ts'
import type { JsonObject } from '../venues/described-message.ts'
import { parseExactly } from '../venues/exact-json.ts'
import { isOnYesScale } from '../venues/no-prices.ts'
import { MEANINGS } from '../venues.ts'

/** `isWhole`: the text is everything that the venue would send, not only the part under `msg`. */
export type SocketText = { text: string; isWhole: boolean }

/** Returns the converted message; null if the socket has no form for the message. */
export type Reform = (text: string) => SocketText | null

/** Returns a conversion for each shape; undefined for a shape whose messages are sent unchanged. `textOf` returns the
 *  message of a record. */
export function reforms(
  venue: Venue,
  market: string,
  { shapes, shapeIndexes }: DecodedBlock,
  textOf: (record: number) => string,
): (Reform | undefined)[] {
  return shapes.map(({ shape }, index) => {
    const stored = { ...shape, isYesScale: isOnYesScale(shape) }
    const form = (message: JsonObject) => MEANINGS[venue].socket?.form(stored, market, message)
    const first = shapeIndexes.indexOf(index)
    if (first < 0 || (!isText(shape) && form(parseExactly(textOf(first))) === undefined)) return undefined
    return (text) => {
      const found = form(parseExactly(text))
      if (found === undefined) return { text, isWhole: shape.envelopeType === null }
      return found && { text: JSON.stringify(found.message), isWhole: found.isWhole }
    }
  })
}

/** Returns whether the shape stores each message as one text. Such messages may have different forms. */
const isText = ({ parts: [first, ...others] }: DecodedShape['shape']): boolean =>
  others.length === 0 && typeof first === 'object' && 'slot' in first

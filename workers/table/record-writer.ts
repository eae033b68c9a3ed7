// Writes records as JSON: the envelope that all venues share, and the message as the venue sent it.

import { IDENTITIES, type Venue } from '../../storage/venue.ts'
import type { DecodedBlock } from '../block/decoded-block.ts'
import type { ByteWriter } from '../bytes/byte-writer.ts'
import { isOnYesScale, YES_SCALE_KEY } from '../venues/no-prices.ts'
import { MEANINGS } from '../venues.ts'
import { joinedTexts } from './quoted-text.ts'
import { type Step, StepList } from './row-steps.ts'
import { writeRow } from './row-writer.ts'

export class RecordWriter {
  readonly #block: DecodedBlock
  readonly #steps: Step[][]

  constructor(venue: Venue, market: string, block: DecodedBlock) {
    this.#block = block
    const { hasAssets, bookField, hasSequence } = IDENTITIES[venue]
    const { hasNoPrices } = MEANINGS[venue]
    const onlyBook = `,"${bookField}":${JSON.stringify(market)}`
    const books = hasAssets ? bookTexts(bookField, block.bookIds) : undefined
    this.#steps = block.shapes.map((shape) => {
      const steps = new StepList()
      steps.text(`{"type":"${shape.shape.kind}","timestamp":`).integers(shape.timesMs)
      steps.text(',"received_at":').nullable(shape.receivedMs)
      if (books === undefined) steps.text(onlyBook)
      else steps.words({ ...books, indexes: shape.books })
      if (hasSequence) steps.text(',"sid":').nullable(shape.sid).text(',"seq":').nullable(shape.seq)
      const { source } = shape.shape
      if (source !== undefined) steps.text(`,"source":"${source}"`)
      if (hasNoPrices && isOnYesScale(shape.shape)) steps.text(`,"${YES_SCALE_KEY}":true`)
      return steps.text(',"msg":').parts(shape.shape.parts, shape).text('}').finish()
    })
  }

  write(writer: ByteWriter, record: number): void {
    writeRow(writer, this.#steps[this.#block.shapeIndexes[record]!]!, this.#block.rows[record]!)
  }
}

/** Returns `,"asset_id":…` for each book number, 0 being the whole market, in the layout of a text column. */
const bookTexts = (bookField: string, bookIds: readonly string[]) => ({
  ...joinedTexts([null, ...bookIds].map((id) => `,"${bookField}":${JSON.stringify(id)}`)),
  wordCount: bookIds.length + 1,
})

// What a stream is told where another source is shown from on: the quotes that are open are complete, and each book is
// a snapshot of no record.

import type { BlockEntry } from '../../storage/format/partition-head.ts'
import { ChangedLevels } from '../changes/changed-levels.ts'
import { shownTrust } from '../trust/trust-steps.ts'
import type { FollowedBooks, FollowedMarket } from './follow-block.ts'
import { quoteMessage } from './quote-message.ts'
import { type ToldMessages, toldChange } from './told-messages.ts'

/** A block that begins with the books of another source, and their state. */
type Switch = { entry: Pick<BlockEntry, 'begins' | 'firstRecord'>; state: Uint8Array }

/** Throws DataError('block_corrupt'). */
export function tellSwitch(of: FollowedMarket, followed: FollowedBooks, { entry, state }: Switch, told: ToldMessages) {
  const { begins, firstRecord } = entry
  if (of.channels.includes('quotes')) tellOpenQuotes(of, { ...followed, isOpen: false }, told)
  followed.lastRecords.clear()
  followed.books.switchTo(state, (id, before, after) => {
    if (!of.channels.includes('book')) return
    const levels = new ChangedLevels()
    levels.switched(before, after, begins!)
    const changes = Array.from({ length: levels.count }, (_, row) => toldChange(levels, row))
    const about = { type: 'snapshot', timestamp: begins, ...namesOf(of, id), record: null }
    told.add('book', firstRecord, { ...about, changes })
  })
}

/** Those that no record has ended: what follows may belong to them. */
export function tellOpenQuotes(
  of: FollowedMarket,
  { books, lastRecords, steps, isOpen }: FollowedBooks & { isOpen: boolean },
  told: ToldMessages,
): void {
  for (const [id, book] of books.entries()) {
    const record = lastRecords.get(book)
    if (book.openQuoteMs < 0 || record === undefined) continue
    const trust = shownTrust(book.trust, steps.get(id), book.openQuoteMs)
    told.add('quotes', record, quoteMessage(book, { ...namesOf(of, id), record, isOpen, trust }))
  }
}

const namesOf = ({ venue, market }: FollowedMarket, id: string) =>
  venue === 'polymarket' ? { asset_id: id } : { ticker: market }

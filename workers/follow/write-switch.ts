// Writes the messages of a switch to another source: completes the open quotes, and sends each book as a snapshot
// whose `record` is null.

import { bookFields } from '../../storage/venue.ts'
import { ChangedLevels } from '../changes/changed-levels.ts'
import { shownTrust } from '../trust/trust-steps.ts'
import type { FollowedBooks, FollowedMarket } from './follow-block.ts'
import { quoteMessage } from './quote-message.ts'
import { changeRow, type SentMessages } from './sent-messages.ts'

/** `state` has the books of the other source at `atMs`, Unix ms; null if it has none. `firstRecord` is the index of the
 *  first record after the switch. */
type Switch = { atMs: number; firstRecord: number; state: Uint8Array | null }

/** Writes the messages of a switch. Throws DataError('block_corrupt'). */
export function writeSwitch(
  of: FollowedMarket,
  followed: FollowedBooks,
  { atMs, firstRecord, state }: Switch,
  messages: SentMessages,
) {
  if (of.channels.includes('quotes')) writeOpenQuotes(of, { ...followed, isOpen: false }, messages)
  followed.lastRecords.clear()
  followed.books.switchTo(state, (id, before, after) => {
    if (!of.channels.includes('book')) return
    const levels = new ChangedLevels()
    levels.switched(before, after, atMs)
    const changes = Array.from({ length: levels.count }, (_, row) => changeRow(levels, row))
    const about = { type: 'snapshot', timestamp: atMs, ...bookFields(of, id), record: null }
    messages.add('book', firstRecord, { ...about, changes })
  })
}

/** Writes the quotes that are still open: later records of the same venue time may change them. */
export function writeOpenQuotes(
  of: FollowedMarket,
  { books, lastRecords, steps, isOpen }: FollowedBooks & { isOpen: boolean },
  messages: SentMessages,
): void {
  for (const [id, book] of books.entries()) {
    const record = lastRecords.get(book)
    if (book.openQuoteMs < 0 || record === undefined) continue
    const trust = shownTrust(book.trust, steps.get(id), book.openQuoteMs)
    messages.add('quotes', record, quoteMessage(book, { ...bookFields(of, id), record, isOpen, trust }))
  }
}

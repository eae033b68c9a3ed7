// The constant columns of a table about one book.

import { IDENTITIES, type Venue } from '../../storage/venue.ts'
import type { Constant } from '../table/table.ts'

export const bookConstants = ({ venue, market, book }: { venue: Venue; market: string; book: string }): Constant[] => [
  { name: 'market', text: market },
  ...(IDENTITIES[venue].hasAssets ? [{ name: IDENTITIES[venue].bookField, text: book }] : []),
]

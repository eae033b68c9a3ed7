// The No side of a market with one book. The API has only the Yes book, which shows a bid for No at 40¢ as an ask for
// Yes at 60¢.

import type { BookId } from '../../state/view.ts'
import { SHOWN } from '../../venues.ts'

type Flips = typeof import('./flips.ts')

export const isNoSide = ({ venue, asset }: BookId): boolean => !SHOWN[venue].hasAssets && asset !== null

/** Converts an answer of the API to the side of `book`. `choose` selects the function that flips it. */
export const ofSide = async <T>(book: BookId, answer: T, choose: (flips: Flips) => (answer: T) => T): Promise<T> =>
  isNoSide(book) ? choose(await import('./flips.ts'))(answer) : answer

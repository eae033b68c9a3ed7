// The book at the cursor: every level, exactly as the API says it.

import { bookAt } from '../data/answers.ts'
import { priceText, sizeText, UNKNOWN } from '../state/number-text.ts'
import { durationText, instantText } from '../state/time-text.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { Failed } from './states.tsx'

const LEVELS = 14

const TRUST = {
  established: 'established by a snapshot',
  observed: 'observed: no snapshot yet, levels as they were seen',
  lost: 'lost since a gap',
  unknown: 'unknown: no record of it yet',
} as const

export function Ladder({ book, stretch }: { book: BookId; stretch: Stretch }) {
  const { atMs, zone } = stretch
  if (atMs === null) return <p class="quiet">Click the chart, or press an arrow key, to see the book at an instant.</p>
  const { value, failure } = bookAt(book, { ms: atMs })
  if (failure !== null) return <Failed failure={failure} />
  if (value === null)
    return (
      <p class="quiet" aria-busy="true">
        …
      </p>
    )
  const largest = Math.max(...[...value.bids, ...value.asks].map(([, size]) => size!), 1)
  return (
    <section class="ladder" aria-label="The book at the cursor">
      <h2>{instantText(atMs, zone)}</h2>
      <p class={`trust ${value.trust}`}>
        {TRUST[value.trust]}
        {value.verified === true && ', agrees with the venue’s hash'}
        {value.as_of !== null && `, ${durationText(atMs - value.as_of)} old`}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">price</th>
            <th scope="col">contracts</th>
          </tr>
        </thead>
        <tbody class="asks">
          {value.asks
            .slice(0, LEVELS)
            .toReversed()
            .map((level) => row(level, largest))}
        </tbody>
        <tbody class="bids">{value.bids.slice(0, LEVELS).map((level) => row(level, largest))}</tbody>
      </table>
      <p class="quiet">
        last trade{' '}
        {value.last_trade === null
          ? UNKNOWN
          : `${sizeText(value.last_trade.size)} at ${priceText(value.last_trade.price)}`}
      </p>
    </section>
  )
}

const row = ([price, size]: number[], largest: number) => (
  <tr key={price}>
    <td>{priceText(price!)}</td>
    <td>
      <span class="bar" style={{ width: `${(100 * size!) / largest}%` }} />
      <span>{sizeText(size!)}</span>
    </td>
  </tr>
)

// A table of the markets of a date and what is stored of each. A click on a column's name orders the rows by that
// column.

import { titleOf } from '../../data/market-name.ts'
import type { ActiveMarkets } from '../../find/finding.ts'
import { countText, shortId, sizeText } from '../../state/number-text.ts'
import { durationText } from '../../state/time-text.ts'
import { marketView, type Order } from '../../state/view.ts'
import type { Venue } from '../../venues.ts'
import { Link } from '../top.tsx'
import { WatchButton } from '../watch-button.tsx'

const COLUMNS: readonly [name: string, order: Order | null][] = [
  ['market', 'market'],
  ['records', 'records'],
  ['trades', 'trades'],
  ['contracts', 'volume'],
  ['gaps', null],
]

type MarketsProps = { venue: Venue; page: ActiveMarkets; by: Order; onOrder: (by: Order) => void }

export const DayMarkets = ({ venue, page: { date, data }, by, onOrder }: MarketsProps) => (
  <table class="list day-markets">
    <thead>
      <tr>
        {COLUMNS.map(([name, order]) => (
          <th
            key={name}
            scope="col"
            class={order === 'market' ? '' : 'number'}
            aria-sort={order !== by ? undefined : order === 'market' ? 'ascending' : 'descending'}
          >
            {order === null ? (
              name
            ) : (
              <button type="button" class="link" onClick={() => onOrder(order)}>
                {name}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {data.map((row) => (
        <Row key={row.market} {...{ venue, row, date }} />
      ))}
    </tbody>
  </table>
)

type RowProps = { venue: Venue; row: ActiveMarkets['data'][number]; date: string }

function Row({ venue, row, date }: RowProps) {
  const { market, event, records, trades, volume, gaps, gap_ms } = row
  const book = { venue, market, asset: null }
  const title = row.title === null ? null : titleOf(book, row)
  return (
    <tr>
      <td>
        <WatchButton item={{ venue, market, title }} isShort />
        <Link to={marketView(book, { fromMs: Date.parse(date) })}>{title ?? market}</Link>
        <span class="quiet id">
          {title !== null && <span class="mono">{shortId(market)}</span>}
          {event !== null && (
            <span class="of-event">
              in <Link to={{ page: 'event', venue, event: event.id, date }}>{event.title ?? event.id}</Link>
            </span>
          )}
        </span>
      </td>
      <td class="number">{countText(records)}</td>
      <td class="number">{countText(trades)}</td>
      <td class="number">{sizeText(volume)}</td>
      <td class="number">{gaps === 0 ? '0' : `${countText(gaps)} (${durationText(gap_ms)})`}</td>
    </tr>
  )
}

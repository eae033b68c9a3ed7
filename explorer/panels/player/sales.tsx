// Time and sales: the trades of the cursor's day around the cursor, of at least the chosen size.

import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { marketInfo } from '../../data/answers.ts'
import { countUpTo } from '../../data/columns/count-up-to.ts'
import { countTradesAt, type Trade, tradeAt } from '../../data/columns/trade-columns.ts'
import { dayTrades } from '../../data/replay/day-trades.ts'
import { centDecimals, smallestTick, ticksOf } from '../../data/ticks.ts'
import { passedOfDay } from '../../replay/passed.ts'
import { adjust } from '../../state/address.ts'
import { askAgain } from '../../state/again.ts'
import { horizonOf } from '../../state/horizon.ts'
import { countText, sizeText } from '../../state/number-text.ts'
import { clockText, dateText } from '../../state/time-text.ts'
import { sideMark, sideWord } from '../../state/trade-text.ts'
import { shownPrice } from '../../state/units.ts'
import type { BookId, Stretch } from '../../state/view.ts'
import { Failed } from '../states.tsx'
import { wereMessagesRequested } from './messages-requested.ts'
import { RecordRow, RecordTable } from './record-table.tsx'

/** Number of rows listed on each side of the cursor. The reader can scroll within these rows. */
const ROWS = 100

export function Sales({ book, stretch }: { book: BookId; stretch: Stretch }) {
  const { atMs, leastTrade, zone } = stretch
  const place = useRef<HTMLDivElement>(null)
  const date = dateText(atMs ?? 0, 'UTC')
  const { value, failure } = atMs === null ? { value: null, failure: null } : dayTrades(book, date)
  const horizon = horizonOf(stretch)
  const trades = useMemo(() => value && passedOfDay(value, date, horizon), [value, horizon?.ms, horizon?.record])
  const large = useMemo(() => {
    const least = leastTrade ?? 0
    return Float64Array.from(trades?.size.keys() ?? []).filter((row) => trades!.size[row]! >= least)
  }, [trades, leastTrade])
  // The index of the last shown trade at or before the cursor.
  const last = trades === null ? -1 : countUpTo(large, countTradesAt(trades, stretch) - 1) - 1
  const rows = large.subarray(Math.max(0, last - ROWS), last + ROWS)
  const current = large[last]
  useLayoutEffect(() => {
    const [list, row] = [place.current, place.current?.querySelector<HTMLElement>('.current')]
    if (list && row) list.scrollTop = row.offsetTop - list.clientHeight / 2
  }, [current, large])
  useEffect(() => {
    if (place.current !== null && trades !== null && wereMessagesRequested())
      place.current.parentElement!.scrollIntoView({ block: 'nearest' })
  })
  if (failure !== null) return <Failed failure={failure} retry={askAgain} />
  const info = marketInfo(book).value
  const decimals = centDecimals(smallestTick(ticksOf(book, info), { low: 0, high: 1 }))
  return (
    <section class="sales" aria-label="Time and sales" aria-busy={trades === null}>
      <header>
        <label>
          trades from{' '}
          <input
            type="number"
            min="0"
            step="any"
            placeholder="0"
            value={leastTrade ?? ''}
            onChange={({ currentTarget: { value } }) =>
              adjust({ leastTrade: Number(value) > 0 ? Number(value) : null })
            }
          />{' '}
          contracts
        </label>
        <span class="quiet">
          {trades === null ? '…' : `${countText(large.length)} of ${countText(trades.size.length)} on ${date}`}
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys */}
      <div class="rows" ref={place} tabIndex={0}>
        <RecordTable names={['time', 'taker', 'price', 'size']}>
          {Array.from(rows, (row) => (
            <Sale key={row} trade={tradeAt(trades!, row)} isCurrent={row === current} {...{ zone, decimals }} />
          ))}
        </RecordTable>
      </div>
    </section>
  )
}

type SaleProps = { trade: Trade; zone: string; decimals: number; isCurrent: boolean }

function Sale({ trade: { ms, record, price, size, side }, zone, decimals, isCurrent }: SaleProps) {
  return (
    <RecordRow {...{ ms, record, isCurrent }}>
      <td>{clockText(ms, zone)}</td>
      <td class={side ?? ''}>
        {sideMark(side)} {sideWord(side)}
      </td>
      <td>{shownPrice(price, decimals)}</td>
      <td>{sizeText(size)}</td>
    </RecordRow>
  )
}

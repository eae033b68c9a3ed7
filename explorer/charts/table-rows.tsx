// The rows of the table of a chart.

import { centDecimals } from '../data/ticks.ts'
import { countText, sizeText } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { instantText } from '../state/time-text.ts'
import { shownPrice } from '../state/units.ts'
import { bucketColumns } from './bucket-columns.ts'
import { firstShown } from './draw/lines.ts'
import type { MarketWindows } from './market-windows.ts'

const ROWS_MAX = 60

export function TableRows({ windows, span, zone }: { windows: MarketWindows; span: Span; zone: string }) {
  const price = (dollars: number) => shownPrice(dollars, centDecimals(windows.tick))
  return (
    <div class="scrolled">
      <table class="list">
        <thead>
          <tr>
            {['from', 'best bid', 'best ask', 'spread', 'quotes', 'bought', 'sold'].map((name, i) => (
              <th key={name} scope="col" class={i === 0 ? '' : 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(windows, span).map(({ ms, bid, ask, quotes, bought, sold }) => (
            <tr key={ms}>
              <th scope="row">{instantText(ms, zone)}</th>
              {[price(bid), price(ask), price(ask - bid), countText(quotes), sizeText(bought), sizeText(sold)].map(
                (text, i) => (
                  <td key={i} class="number">
                    {text}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Row = { ms: number; bid: number; ask: number; quotes: number; bought: number; sold: number }

/** The best prices at the end of each row; of the rest, what there is in all of it. */
function rowsOf({ quotes, trades }: MarketWindows, { fromMs, toMs }: Span): Row[] {
  const buckets = bucketColumns(quotes, trades)
  const { times, resolutionMs } = buckets.quotes
  const [first, last] = [firstShown(times, fromMs), firstShown(times, toMs)]
  const each = Math.max(1, Math.ceil((last - first + 1) / ROWS_MAX))
  const bids = quotes.flatMap(({ columns }) => [...columns.best_bid])
  const asks = quotes.flatMap(({ columns }) => [...columns.best_ask])
  const rows: Row[] = []
  for (let at = first; at <= last && at < times.length; at += each) {
    const end = Math.min(at + each, last + 1)
    const [ms, endMs] = [times[at]!, times[end - 1]! + resolutionMs]
    const sum = ({ times, values }: { times: ArrayLike<number>; values: ArrayLike<number> }) => {
      let total = 0
      for (let row = firstShown(times, ms); row < times.length && times[row]! < endMs; row++) {
        if (times[row]! >= ms) total += Math.abs(values[row]!)
      }
      return total
    }
    rows.push({
      ...{ ms, bid: bids[end - 1]!, ask: asks[end - 1]! },
      ...{ quotes: sum(buckets.quotes), bought: sum(buckets.bought), sold: sum(buckets.sold) },
    })
  }
  return rows
}

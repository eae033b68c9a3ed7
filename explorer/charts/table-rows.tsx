// The rows of the chart's table: the prices that it draws, then spread, quotes and volume.

import { centDecimals } from '../data/ticks.ts'
import { Heads } from '../panels/heads.tsx'
import { countText, percentText, sizeText } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { instantText } from '../state/time-text.ts'
import { shownPrice } from '../state/units.ts'
import type { Stretch } from '../state/view.ts'
import { candleIn } from './base/price-columns.ts'
import { bucketColumns } from './bucket-columns.ts'
import { firstShown } from './draw/lines.ts'
import type { MarketWindows } from './market-windows.ts'

const ROWS_MAX = 60

type TableProps = { windows: MarketWindows; span: Span; stretch: Stretch }

export function TableRows({ windows, span, stretch: { chart, candlesOf, zone } }: TableProps) {
  const prices = {
    depth: ['best bid', 'best ask'],
    candles: [`${candlesOf}: open`, 'high', 'low', 'close'],
    line: ['price'],
  }
  const heads = [...prices[chart], 'spread', 'quotes', 'bought', 'sold']
  return (
    <div class="scrolled">
      <table class="list">
        <Heads names={['from', ...heads]} numbers={heads} />
        <tbody>
          {rowsOf(windows, span).map(({ ms, texts }) => (
            <tr key={ms}>
              <th scope="row">{instantText(ms, zone)}</th>
              {texts.map((text, i) => (
                <td key={i} class="number">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns the rows. Best prices, spread and line are the values at the end of a row's time; quotes and volume are
 *  totals of that time. */
function rowsOf({ quotes, trades, candles, line, tick }: MarketWindows, { fromMs, toMs }: Span) {
  const price = (dollars: number) => shownPrice(dollars, centDecimals(tick))
  const buckets = bucketColumns(quotes, trades)
  const { times, resolutionMs } = buckets.quotes
  const [first, last] = [firstShown(times, fromMs), firstShown(times, toMs)]
  const each = Math.max(1, Math.ceil((last - first + 1) / ROWS_MAX))
  const bids = quotes.flatMap(({ columns }) => [...columns.best_bid])
  const asks = quotes.flatMap(({ columns }) => [...columns.best_ask])
  const rows: { ms: number; texts: string[] }[] = []
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
    const [bid, ask] = [bids[end - 1]!, asks[end - 1]!]
    const prices = candles === null ? [bid, ask].map(price) : candleIn(candles, ms, endMs).map(price)
    rows.push({
      ms,
      texts: [
        ...(line === null ? prices : [percentText(line.values[end - 1]!)]),
        ...[
          price(ask - bid),
          countText(sum(buckets.quotes)),
          sizeText(sum(buckets.bought)),
          sizeText(sum(buckets.sold)),
        ],
      ],
    })
  }
  return rows
}

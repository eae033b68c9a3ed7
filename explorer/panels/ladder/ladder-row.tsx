// A row of the ladder: the sizes at a price on both sides, and the change made by the last record.

import type { Change } from '../../replay/replay.ts'
import { shortText, sizeText } from '../../state/number-text.ts'
import { shownPrice } from '../../state/units.ts'
import type { Flashes } from './flashes.ts'
import { type Row, rowOf, type Step } from './ladder-rows.ts'

type Side = 'bid' | 'ask'

type Props = {
  row: Row
  step: Step
  /** Number of decimals of prices in cents. */
  decimals: number
  best: Record<Side, number | undefined>
  /** Number of contracts that a full bar stands for. */
  scale: number
  flashes: Flashes
  isRunning: boolean
  changes: readonly Change[]
  /** The price of the last trade. */
  trade: number | null
}

export function LadderRow({ row, step, decimals, best, changes, trade, ...sizes }: Props) {
  const { micros, bid, ask } = row
  const isHere = (price: number | null | undefined, side: Side): boolean =>
    price != null && micros !== null && rowOf(price, step, side) === micros
  const changeOf = (side: Side): number =>
    changes
      .filter((each) => each.side === side && isHere(each.price, side))
      .reduce((sum, { before, after }) => sum + after - before, 0)
  const classes = [
    isHere(best.bid, 'bid') && 'best-bid',
    isHere(best.ask, 'ask') && 'best-ask',
    bid > 0 && 'has-bid',
    ask > 0 && 'has-ask',
  ]
  return (
    <tr class={classes.filter(Boolean).join(' ')}>
      <Difference size={changeOf('bid')} />
      <Size {...sizes} micros={micros} size={bid} side="bid" />
      <th scope="row" class={isHere(trade, bid > 0 ? 'bid' : 'ask') ? 'traded' : ''}>
        {micros === null ? '' : shownPrice(micros / 1e6, decimals)}
      </th>
      <Size {...sizes} micros={micros} size={ask} side="ask" />
      <Difference size={changeOf('ask')} />
    </tr>
  )
}

function Difference({ size }: { size: number }) {
  if (size === 0) return <td class="difference" />
  const [sign, much] = [size > 0 ? '+' : '−', Math.abs(size)]
  return (
    <td class="difference" title={sign + sizeText(much)}>
      {sign + differenceText(much)}
    </td>
  )
}

/** Formats a change of a size with at most six characters, the width of the column. The title shows it in full. */
function differenceText(contracts: number): string {
  if (contracts < WHOLE_FROM) return sizeText(contracts)
  return contracts < SHORT_FROM ? sizeText(Math.round(contracts)) : shortText(contracts)
}

const [WHOLE_FROM, SHORT_FROM] = [100, 10_000]
/** Larger sizes are shown without decimals. */
const WIDE = 100_000

type SizeProps = Pick<Props, 'scale' | 'flashes' | 'isRunning'> & { micros: number | null; size: number; side: Side }

function Size({ micros, size, side, scale, flashes, isRunning }: SizeProps) {
  const { stamp, change } = flashes.of(`${side} ${micros}`, size, isRunning)
  return (
    <td class={side}>
      {change !== null && <span key={stamp} class={`flash ${change}`} />}
      {size > 0 && <span class="bar" style={{ width: `${Math.min(100, (100 * size) / scale)}%` }} />}
      {size > 0 && (
        <span class="size" title={sizeText(size)}>
          {sizeText(size < WIDE ? size : Math.round(size))}
        </span>
      )}
    </td>
  )
}

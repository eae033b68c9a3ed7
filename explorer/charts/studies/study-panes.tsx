// Shows the studies that have a pane of their own: cumulative delta, imbalance, and depth near the mid.

import type { TimeWindow } from '../../data/buckets/bucket-window.ts'
import { joined } from '../../data/columns/joined.ts'
import { depthStudy } from '../../data/studies/depth-studies.ts'
import { countPassed, firstRows } from '../../replay/passed.ts'
import { horizonOf } from '../../state/horizon.ts'
import { shortText } from '../../state/number-text.ts'
import type { BookId, Stretch } from '../../state/view.ts'
import { colours } from '../base/colours.ts'
import type { PaneProps } from '../pane/pane.tsx'
import { SizedPane } from '../pane/sized-pane.tsx'
import type { Running } from './study-columns.ts'

type StudyProps = {
  book: BookId
  stretch: Stretch
  buckets: readonly TimeWindow[]
  running: Running
  /** Properties that all small panes share. */
  small: Omit<PaneProps, 'label' | 'values' | 'valueText'>
}

export function StudyPanes(props: StudyProps) {
  const { studies } = props.stretch
  return (
    <>
      {studies.includes('delta') && <Delta {...props} />}
      {(studies.includes('imbalance') || studies.includes('depth')) && <OfDepth {...props} />}
    </>
  )
}

const signed = (value: number): string => (value < 0 ? `−${shortText(-value)}` : shortText(value))

function Delta({ running: { times, delta }, small }: StudyProps) {
  const { low, high } = rangeOf([delta])
  return (
    <SizedPane
      {...small}
      label="Cumulative delta"
      values={{ low: low * 1.1, high: high * 1.1 }}
      valueText={signed}
      data={[times, delta]}
      lines={[{ stroke: colours().mid }]}
    />
  )
}

function OfDepth({ book, stretch, buckets, small }: StudyProps) {
  const { studies, within } = stretch
  const resolutionMs = buckets[0]?.resolutionMs ?? 0
  const windows = buckets
    .flatMap((each) => depthStudy(book, { window: each, cents: within }).value ?? [])
    .map((each) => firstRows(each, countPassed(each.timestamp, resolutionMs, horizonOf(stretch))))
  const column = (name: keyof (typeof windows)[number]) => joined(windows.map((each) => each[name]))
  const [times, bid, ask] = [column('timestamp'), column('bidDepth'), column('askDepth')]
  const ink = colours()
  return (
    <>
      {studies.includes('imbalance') && (
        <SizedPane
          {...small}
          label="Imbalance"
          values={{ low: -1.1, high: 1.1 }}
          valueText={(share) => signed(Number(share.toFixed(2)))}
          data={[times, column('imbalance')]}
          lines={[{ stroke: ink.mid }]}
          resolutionMs={resolutionMs}
        />
      )}
      {studies.includes('depth') && (
        <SizedPane
          {...small}
          label="Depth"
          name={`Depth within ${within}¢`}
          values={{ low: 0, high: rangeOf([bid, ask]).high * 1.1 }}
          valueText={shortText}
          data={[times, bid, ask]}
          lines={[{ stroke: ink.bid }, { stroke: ink.ask }]}
          resolutionMs={resolutionMs}
        />
      )}
    </>
  )
}

/** Returns a range that includes 0 and is never empty. */
function rangeOf(columns: readonly Float64Array[]): { low: number; high: number } {
  let [low, high] = [0, 0]
  for (const values of columns) {
    for (const value of values) {
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  return low === 0 && high === 0 ? { low: 0, high: 1 } : { low, high }
}

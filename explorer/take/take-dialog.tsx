// The download dialog: shows the size of the data, a download button, and the code of the request.

import { useState } from 'preact/hooks'
import { isNoSide } from '../data/no-side/of-side.ts'
import { Modal, ModalHead } from '../panels/modal.tsx'
import { OneOf } from '../panels/one-of.tsx'
import type { Detail } from '../state/detail.ts'
import { hiddenFrom, horizonOf } from '../state/horizon.ts'
import { countText } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { instantText } from '../state/time-text.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { CodePanel } from './code-panel.tsx'
import { DayFiles } from './day-files.tsx'
import { DownloadLine } from './download-line.tsx'
import { rangeText } from './range-text.ts'
import { CELLS_MAX, type Format, fileName, type TakeName, takesOf, wholeDays } from './requests.ts'

const FORMAT_NAMES: Record<Format, string> = {
  csv: 'CSV',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  arrow: 'Arrow',
  json: 'JSON',
}

type TakeProps = {
  book: BookId
  stretch: Stretch
  span: Span
  /** The detail of the chart; null until it has been drawn. */
  detail: Detail | null
  onClose: () => void
}

const UNDRAWN: Detail = { resolutionMs: 60_000, bucketMs: 60_000, priceStep: 0.01 }

export function TakeDialog({ book: shown, stretch, span, detail, onClose }: TakeProps) {
  const [name, setName] = useState<TakeName>(
    stretch.chart === 'candles' && stretch.candlesOf === 'trades' ? 'volume' : 'prices',
  )
  const [chosen, setChosen] = useState<Format>('csv')
  const [isWhole, setWhole] = useState(false)
  // The API has only Yes books, and files are named after them.
  const book = isNoSide(shown) ? { ...shown, asset: null } : shown
  const endMs = hiddenFrom(horizonOf(stretch))
  const requested = { book, span: isWhole ? wholeDays(span) : span, stretch, detail: detail ?? UNDRAWN }
  const takes = takesOf(requested)
  const take = takes.find((each) => each.name === name) ?? takes[0]!
  const format = take.formats.includes(chosen) ? chosen : take.formats[0]!
  const file = fileName(requested, take, format)
  const { fromMs } = requested.span
  const toMs = Math.min(take.cutMs ?? requested.span.toMs, endMs)
  const isEmpty = Number(take.query['end_timestamp']) < Number(take.query['start_timestamp'])
  return (
    <Modal label="Download, or copy as code" className="take" onClose={onClose}>
      <ModalHead title="Download, or copy as code" onClose={onClose} />
      <fieldset class="take-what">
        <legend class="unseen">What</legend>
        {takes.map((each) => (
          <label key={each.name}>
            <input type="radio" name="take" checked={each === take} onChange={() => setName(each.name)} />
            <b>{each.label}</b> <span class="quiet">{each.about}</span>
          </label>
        ))}
      </fieldset>
      <div class="take-how">
        <OneOf
          label="Format"
          all={take.formats}
          chosen={format}
          nameOf={(each) => FORMAT_NAMES[each]}
          choose={setChosen}
        />
        {take.name !== 'book' && (
          <OneOf
            label="Time"
            all={[false, true]}
            chosen={isWhole}
            nameOf={(each) => (each ? 'Whole day' : 'As shown')}
            choose={setWhole}
          />
        )}
      </div>
      <p class="quiet">
        {take.name === 'book'
          ? `${instantText(stretch.atMs!, 'UTC')} UTC`
          : isEmpty
            ? 'no data before the cursor'
            : rangeText({ fromMs, toMs: toMs - 1 }, 'UTC')}
      </p>
      {isNoSide(shown) && (
        <p class="note">
          The data is of Yes, as the API has it: a price of No is $1 minus that of Yes, and bids for one are asks for
          the other.
        </p>
      )}
      {take.cutMs !== undefined && <p class="note">{cutText(take.cutMs)}</p>}
      {endMs < Infinity && <p class="note">What is later than the cursor is hidden, and so are files of whole days.</p>}
      {!isEmpty && <DownloadLine key={`${name} ${format} ${fromMs} ${toMs}`} {...{ take, format, file }} />}
      {!isEmpty && <CodePanel {...{ take, format, file }} />}
      {endMs === Infinity && <DayFiles book={book} span={span} />}
    </Modal>
  )
}

function cutText(cutMs: number): string {
  const end = `${instantText(cutMs, 'UTC')} UTC`
  return `A depth map has at most ${countText(CELLS_MAX)} cells, so this one ends at ${end}. Zoom in or out for the rest.`
}

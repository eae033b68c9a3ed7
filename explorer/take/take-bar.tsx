// The actions on what is shown: copy a link, download the data, copy code, save a picture, compare.

import { useState } from 'preact/hooks'
import { type Coverage, marketInfo } from '../data/answers.ts'
import { eventTime, settledText } from '../data/market-name.ts'
import { isNoSide } from '../data/no-side/of-side.ts'
import { lazy } from '../panels/lazy.tsx'
import { go } from '../state/address.ts'
import { shownDetail } from '../state/detail.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { Span } from '../state/shown.ts'
import type { MarketView } from '../state/view.ts'
import { CopyLink } from './copy-link.tsx'
import { PictureButton } from './picture-button.tsx'

const TakeDialog = lazy(async () => (await import('./take-dialog.tsx')).TakeDialog)
const LiveMark = lazy(async () => (await import('../live/live-mark.tsx')).LiveMark)

/** `atMs` is the instant whose book is shown. */
type TakeProps = { shown: MarketView; atMs: number | null; span: Span; title: string; stored: Coverage | null }

export function TakeBar({ shown, atMs, span, title, stored }: TakeProps) {
  const [isOpen, setOpen] = useState(false)
  const compare = () =>
    go({ ...shown, ...span, page: 'compare', first: shown.book, second: null, prices: null, record: null })
  useShortcuts([
    { keys: ['d'], label: 'Download, or copy as code', run: () => setOpen(true) },
    { keys: ['x'], label: 'Compare with another book', run: compare },
  ])
  return (
    <div class="take-bar">
      {stored !== null && !shown.hidesFuture && (
        <LiveMark books={[shown.book]} lastMs={stored.dates.at(-1)?.last_timestamp ?? 0} />
      )}
      <CopyLink span={span} />
      <PictureButton {...{ view: shown, span, title }} about={aboutOf(shown)} />
      <button
        type="button"
        title="Download, or copy as code (d)"
        aria-keyshortcuts="d"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Download · code
      </button>
      <button type="button" title="Compare it with another book (x)" aria-keyshortcuts="x" onClick={compare}>
        Compare
      </button>
      {isOpen && (
        <TakeDialog
          {...{ book: shown.book, stretch: { ...shown, atMs }, span }}
          detail={shownDetail.value}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** Returns the facts about a market; omits its settlement if the future is hidden. */
function aboutOf({ book, zone, hidesFuture }: MarketView): string {
  const info = marketInfo(book).value
  const facts = info === null ? [] : [eventTime(info), hidesFuture ? null : settledText(info, zone)]
  const outcome = isNoSide(book) ? 'No' : book.asset
  return [book.venue, book.market, outcome, ...facts].filter(Boolean).join(' · ')
}

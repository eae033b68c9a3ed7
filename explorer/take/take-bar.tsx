// What can be done with what is shown: its link, its data, code that asks for it, a picture of it.

import { useState } from 'preact/hooks'
import type { Coverage } from '../data/answers.ts'
import { lazy } from '../panels/lazy.tsx'
import { go } from '../state/address.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { Span } from '../state/shown.ts'
import type { MarketView } from '../state/view.ts'
import { CopyLink } from './copy-link.tsx'

const TakeDialog = lazy(async () => (await import('./take-dialog.tsx')).TakeDialog)
const LiveMark = lazy(async () => (await import('../live/live-mark.tsx')).LiveMark)
const SAID_MS = 2_500

type TakeProps = { shown: MarketView; span: Span; title: string; stored: Coverage | null }

export function TakeBar({ shown, span, title, stored }: TakeProps) {
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const say = (text: string) => {
    setSaid(text)
    setTimeout(() => setSaid((now) => (now === text ? '' : now)), SAID_MS)
  }
  const savePicture = async () => {
    const { picture } = await import('./picture.ts')
    say(`${await picture(shown, span, title)} is saved`)
  }
  const compare = () => go({ ...shown, ...span, page: 'compare', first: shown.book, second: null, prices: null })
  useShortcuts([
    { keys: ['d'], label: 'Download, or copy as code', run: () => setOpen(true) },
    { keys: ['i'], label: 'Save a picture of the chart', run: () => void savePicture() },
    { keys: ['x'], label: 'Compare with another book', run: compare },
  ])
  return (
    <div class="take-bar">
      <span class="quiet" role="status">
        {said}
      </span>
      {stored !== null && <LiveMark shown={shown} stored={stored} />}
      <CopyLink span={span} />
      <button type="button" title="Save a picture of the chart (i)" aria-keyshortcuts="i" onClick={savePicture}>
        Picture
      </button>
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
      {isOpen && <TakeDialog {...{ shown, span }} onClose={() => setOpen(false)} />}
    </div>
  )
}

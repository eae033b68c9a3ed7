// What can be done with what is shown: its link, its data, code that asks for it, a picture of it.

import { useState } from 'preact/hooks'
import { lazy } from '../panels/lazy.tsx'
import { view } from '../state/address.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { Span } from '../state/shown.ts'
import { type MarketView, printView } from '../state/view.ts'
import { copyText } from './copy.ts'

const TakeDialog = lazy(async () => (await import('./take-dialog.tsx')).TakeDialog)
const SAID_MS = 2_500

export function TakeBar({ shown, span, title }: { shown: MarketView; span: Span; title: string }) {
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const say = (text: string) => {
    setSaid(text)
    setTimeout(() => setSaid((now) => (now === text ? '' : now)), SAID_MS)
  }
  const copyLink = async () => {
    await copyText(location.origin + printView(linked(span)))
    say('The link is copied')
  }
  const savePicture = async () => {
    const { picture } = await import('./picture.ts')
    say(`${await picture(shown, span, title)} is saved`)
  }
  useShortcuts([
    { keys: ['y'], label: 'Copy a link to what is shown', run: () => void copyLink() },
    { keys: ['d'], label: 'Download, or copy as code', run: () => setOpen(true) },
    { keys: ['i'], label: 'Save a picture of the chart', run: () => void savePicture() },
  ])
  return (
    <div class="take-bar">
      <span class="quiet" role="status">
        {said}
      </span>
      <button type="button" title="Copy a link to what is shown (y)" aria-keyshortcuts="y" onClick={copyLink}>
        Link
      </button>
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
      {isOpen && <TakeDialog {...{ shown, span }} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** A link says what is shown also where the address leaves it to the page: the newest day is another one tomorrow. */
function linked(span: Span) {
  const now = view.peek()
  return 'fromMs' in now ? { ...now, ...span } : now
}

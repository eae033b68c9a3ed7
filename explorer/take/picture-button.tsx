// A button that saves a picture of the chart.

import { useState } from 'preact/hooks'
import { useShortcuts } from '../state/shortcuts.ts'
import type { Pictured } from './picture.ts'

const SHOWN_MS = 2_500

export function PictureButton(pictured: Pictured) {
  const [note, setNote] = useState<string | null>(null)
  const save = async () => {
    const { picture } = await import('./picture.ts')
    setNote(`${await picture(pictured)} is saved`)
    setTimeout(() => setNote(null), SHOWN_MS)
  }
  useShortcuts([{ keys: ['i'], label: 'Save a picture of the chart', run: () => void save() }])
  return (
    <>
      <button type="button" title="Save a picture of the chart (i)" aria-keyshortcuts="i" onClick={save}>
        {note === null ? 'Picture' : 'Saved'}
      </button>
      <span class="unseen" role="status">
        {note}
      </span>
    </>
  )
}

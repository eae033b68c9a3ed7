// The lines of a found market: its question, its names, and its stored days.

import { daysText, markedParts } from '../../find/search-text.ts'
import { countedText, shortId } from '../../state/number-text.ts'
import type { Offer } from './search-dialog.tsx'

export function FoundLines({ offer, requested }: { offer: Offer; requested: string }) {
  const { venue, market, title, subtitle, event, start_date, end_date, available_date_count, record_count } = offer
  const isKnown = start_date !== undefined && end_date !== undefined
  return (
    <>
      <span class="title">
        <Marked text={title ?? market} requested={requested} />
        {subtitle && subtitle !== title && (
          <span class="quiet">
            {' '}
            <Marked text={subtitle} requested={requested} />
          </span>
        )}
      </span>
      <span class="stored">{isKnown && daysText(start_date, end_date, available_date_count ?? 0)}</span>
      <span class="names quiet">
        <span class={`venue ${venue}`}>{venue}</span>{' '}
        <span class="mono">
          <Marked text={shortId(market)} requested={requested} />
        </span>
        {event?.title && event.title !== title && (
          <>
            {' · '}
            <Marked text={event.title} requested={requested} />
          </>
        )}
      </span>
      <span class="count quiet">{record_count ? countedText(record_count, 'record') : ''}</span>
    </>
  )
}

function Marked({ text, requested }: { text: string; requested: string }) {
  return (
    <>
      {markedParts(text, requested).map(({ text, isFound }, index) =>
        isFound ? <mark key={index}>{text}</mark> : text,
      )}
    </>
  )
}

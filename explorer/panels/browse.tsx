// Lists the events of a venue in the venue's categories and series. A series loads its events when it is opened.

import { useState } from 'preact/hooks'
import { eventsOf, seriesOf } from '../find/finding.ts'
import { askAgain } from '../state/again.ts'
import { countedText } from '../state/number-text.ts'
import type { Venue } from '../venues.ts'
import { Failed } from './states.tsx'
import { Link } from './top.tsx'

export function Browse({ venue }: { venue: Venue }) {
  const { value: rows, failure } = seriesOf(venue)
  if (failure !== null) return <Failed failure={failure} retry={askAgain} />
  if (rows === null) return <p aria-busy="true">…</p>
  if (rows.length === 0) return <p class="quiet">No metadata of an event is stored.</p>
  return (
    <>
      {[...Map.groupBy(rows, ({ category }) => category)].map(([category, series]) => {
        const count = series.reduce((sum, { events }) => sum + events, 0)
        return (
          <details key={category}>
            <Summary name={category ?? 'without a category'} count={count} />
            {series.map((each) => (
              <Series key={each.series} {...{ venue, ...each }} />
            ))}
          </details>
        )
      })}
    </>
  )
}

const Summary = ({ name, count }: { name: string; count: number }) => (
  <summary>
    {name} <span class="quiet">{countedText(count, 'event')}</span>
  </summary>
)

type Group = { venue: Venue; category: string | null; series: string | null; events: number }

function Series({ events, ...group }: Group) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Summary name={group.series ?? 'without a series'} count={events} />
      {isOpen && <Events {...group} />}
    </details>
  )
}

function Events({ venue, ...group }: Omit<Group, 'events'>) {
  const { value: page, failure } = eventsOf(venue, group)
  if (failure !== null) return <Failed failure={failure} retry={askAgain} />
  if (page === null) return <p aria-busy="true">…</p>
  // A null category or series means that the venue gives no name. In the request's filter, null matches any name, so
  // filter again here.
  const own = page.data.filter(({ category, series }) => category === group.category && series === group.series)
  return (
    <ul>
      {own.map(({ event, title, subtitle }) => (
        <li key={event}>
          <Link to={{ page: 'event', venue, event }}>{title ?? event}</Link>{' '}
          <span class="quiet">{subtitle ?? event}</span>
        </li>
      ))}
      {page.has_more && <li class="quiet">and {countedText(page.total_count - page.data_count, 'more event')}</li>}
    </ul>
  )
}

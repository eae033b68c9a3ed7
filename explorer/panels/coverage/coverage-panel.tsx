// Shows how reliable the visible day's data is: its hours, what was missed, and how often the venue's own values agree.

import type { ComponentChildren } from 'preact'
import type { Coverage } from '../../data/answers.ts'
import {
  agreedText,
  archiveText,
  auditsText,
  dayOf,
  missedOf,
  STARTS,
  snapshotsText,
} from '../../find/coverage-words.ts'
import { reshape } from '../../state/back.ts'
import { countedText, countText, shortId } from '../../state/number-text.ts'
import { durationText } from '../../state/time-text.ts'
import type { BookId } from '../../state/view.ts'
import { SHOWN } from '../../venues.ts'
import { Hours } from './hours.tsx'
import { MissedList } from './missed-list.tsx'

type StoredDate = Coverage['dates'][number]
/** Fields of a book of any venue. The fields of hashes exist only if the venue sends hashes. */
type BookOfDay = Omit<StoredDate['books'][number], 'ticker'> & {
  ticker?: string
  asset_id?: string
  hashes_agreed?: number
  hashes_checked?: number
  best_prices_agreed?: number
  best_prices_checked?: number
}

type Props = { book: BookId; day: StoredDate; zone: string; outcomeOf: (asset: string) => string | undefined }

export function CoveragePanel({ book, day, zone, outcomeOf }: Props) {
  const missed = missedOf(day)
  const { condition, faults } = dayOf(day)
  const { hasHashes } = SHOWN[book.venue]
  return (
    <details class="coverage">
      <summary>
        <h2>
          Coverage of {day.date}: <span class={`condition ${condition}`}>{condition}</span>
        </h2>
        <span class="quiet">{[countedText(day.record_count, 'record'), faults].filter(Boolean).join(' · ')}</span>
      </summary>
      <div class="parts">
        <Hours book={book} date={day.date} missed={missed} zone={zone} />
        <section aria-label="What was missed">
          <h3>What was missed</h3>
          {missed.length === 0 && <p class="quiet">Nothing, as far as is known.</p>}
          <MissedList
            missed={missed}
            zone={zone}
            show={(fromMs, toMs) => reshape({ fromMs, toMs, atMs: fromMs, record: null })}
          />
          {day.incidents.map(({ name, from, to, note }) => (
            <p key={name}>
              <span class="condition degraded">{name.replaceAll('_', ' ')}</span>, {from} to {to}. {note}
            </p>
          ))}
        </section>
        <section aria-label="Its books">
          <h3>{day.books.length === 1 ? 'The book' : 'The books'}</h3>
          {(day.books as BookOfDay[]).map((each) => (
            <dl key={each.ticker ?? each.asset_id} class={each.asset_id === book.asset ? 'shown' : ''}>
              {each.asset_id !== undefined && (
                <Fact name="outcome">
                  {outcomeOf(each.asset_id) ?? <span class="mono">{shortId(each.asset_id)}</span>}
                </Fact>
              )}
              <Fact name="records">
                {countText(each.record_count)}, {countedText(each.quote_count, 'quote')}
              </Fact>
              <Fact name="the day">{STARTS[each.starts_from]}</Fact>
              <Fact name="snapshots">
                {countText(each.snapshot_count)}: {snapshotsText(each.snapshots_confirmed, each.snapshots_contradicted)}
              </Fact>
              {hasHashes && (
                <>
                  <Fact name="the venue’s hashes">{agreedText(each.hashes_agreed ?? 0, each.hashes_checked ?? 0)}</Fact>
                  <Fact name="its best prices">
                    {agreedText(each.best_prices_agreed ?? 0, each.best_prices_checked ?? 0)}
                  </Fact>
                </>
              )}
              <Fact name="longest silence">{durationText(each.longest_silence_ms)}</Fact>
            </dl>
          ))}
          {day.sources?.map((each) => (
            <p key={each.source}>{archiveText(each)}</p>
          ))}
          <dl>
            <Fact name="comparisons by the recorder">{auditsText(day.audits)}</Fact>
          </dl>
        </section>
      </div>
    </details>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

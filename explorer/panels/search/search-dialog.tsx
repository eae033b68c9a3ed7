// Finds a market by ticker, slug, address or words. What was looked at before is offered first.

import { useEffect, useState } from 'preact/hooks'
import { type FoundMarket, foundMarkets } from '../../find/finding.ts'
import { recent } from '../../find/recent.ts'
import { askedText } from '../../find/search-text.ts'
import { go } from '../../state/address.ts'
import { marketView, printView, VENUES, type Venue } from '../../state/view.ts'
import { Modal } from '../modal.tsx'
import { Failed } from '../states.tsx'
import { FoundLines } from './found-lines.tsx'

const TYPING_MS = 120

/** Of a market that was looked at before, nothing is known but its name. */
export type Offer = Pick<FoundMarket, 'venue' | 'market' | 'title'> & Partial<FoundMarket>

type SearchProps = {
  onClose: () => void
  /** What is done with the market that was chosen; it is opened unless given. */
  onChoose?: (offer: Offer) => void
}

export function SearchDialog({ onClose, onChoose }: SearchProps) {
  const [typed, setTyped] = useState('')
  const [venue, setVenue] = useState<Venue | null>(null)
  const [active, setActive] = useState(0)
  const asked = useSettled(askedText(typed), TYPING_MS)
  const { offers, failure, isBusy } = useOffers(asked, venue)
  useEffect(() => setActive(0), [asked, venue])
  const chosen = offers[Math.min(active, offers.length - 1)]

  const open = (offer: Offer, isInNewTab: boolean) => {
    if (onChoose !== undefined) return onChoose(offer)
    const view = marketView({ venue: offer.venue, market: offer.market, asset: null })
    if (isInNewTab) return void window.open(printView(view))
    onClose()
    go(view)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined && offers.length > 0) {
      event.preventDefault()
      const next = Math.min(active, offers.length - 1) + step
      setActive(Math.abs(step) > 1 ? Math.max(0, Math.min(offers.length - 1, next)) : mod(next, offers.length))
    }
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      open(chosen, event.ctrlKey || event.metaKey)
    }
  }
  return (
    <Modal label="Find a market" className="search" onClose={onClose}>
      <div class="asked">
        <input
          type="text"
          role="combobox"
          aria-label="Ticker, slug, address or words of a market"
          aria-expanded={offers.length > 0}
          aria-controls="found"
          aria-autocomplete="list"
          {...(chosen && { 'aria-activedescendant': idOf(chosen) })}
          placeholder="Ticker, slug, address or words of a market"
          autoComplete="off"
          spellcheck={false}
          maxLength={500}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={press}
        />
        <button type="button" class="plain" aria-label="Close, Esc" onClick={onClose}>
          <kbd>Esc</kbd>
        </button>
      </div>
      <fieldset class="choices">
        <legend class="unseen">Venue</legend>
        {[null, ...VENUES].map((each) => (
          <button key={each} type="button" aria-pressed={venue === each} onClick={() => setVenue(each)}>
            {each === null ? 'Both venues' : nameOf(each)}
          </button>
        ))}
      </fieldset>
      {failure !== null && <Failed failure={failure} />}
      {asked === null && offers.length > 0 && <p class="quiet heading">Looked at before</p>}
      <div id="found" role="listbox" aria-label="Markets" class={`found ${isBusy ? 'busy' : ''}`}>
        {offers.map((offer) => (
          <div
            key={idOf(offer)}
            id={idOf(offer)}
            role="option"
            tabIndex={-1}
            onKeyDown={press}
            aria-selected={offer === chosen}
            ref={(node) => {
              if (offer === chosen) node?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setActive(offers.indexOf(offer))}
            onClick={(event) => open(offer, event.ctrlKey || event.metaKey)}
          >
            <FoundLines offer={offer} asked={asked ?? ''} />
          </div>
        ))}
      </div>
      <p class="quiet told" role="status">
        {toldOf(asked, offers.length, isBusy, failure !== null)}
      </p>
    </Modal>
  )
}

/** What was found, or while that is asked for, what was found before. */
function useOffers(asked: string | null, venue: Venue | null) {
  const [last, setLast] = useState<readonly Offer[]>([])
  const entry = asked === null ? null : foundMarkets(asked, venue)
  const value = entry?.value ?? null
  useEffect(() => {
    if (value !== null) setLast(value)
  }, [value])
  const before = recent.value.filter((each) => venue === null || each.venue === venue)
  const failure = entry?.failure ?? null
  const offers: readonly Offer[] = asked === null ? before : (value ?? (failure === null ? last : []))
  return { offers, failure, isBusy: entry !== null && value === null && failure === null }
}

/** A value that has not changed for a while. */
function useSettled<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const mod = (value: number, by: number) => ((value % by) + by) % by
const idOf = ({ venue, market }: Offer) => `found-${venue}-${market}`
const nameOf = (venue: Venue) => (venue === 'kalshi' ? 'Kalshi' : 'Polymarket')

function toldOf(asked: string | null, count: number, isBusy: boolean, hasFailed: boolean): string {
  if (hasFailed) return ''
  if (asked === null)
    return count > 0 ? '' : 'Both venues are looked through: each word must begin a word of the market.'
  if (isBusy) return 'Looking …'
  if (count === 0) return 'No market has all of these words.'
  return count === 1 ? '1 market' : `${count} markets`
}

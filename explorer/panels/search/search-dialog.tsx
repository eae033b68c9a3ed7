// Finds a market by ticker, slug, address or words. Offers recently viewed markets first.

import { useEffect, useState } from 'preact/hooks'
import { capital } from '../../data/market-name.ts'
import { type FoundMarket, foundMarkets } from '../../find/finding.ts'
import { recent } from '../../find/listed.ts'
import { queryText } from '../../find/search-text.ts'
import { go } from '../../state/address.ts'
import { countedText } from '../../state/number-text.ts'
import { marketView, printView, VENUES } from '../../state/view.ts'
import type { Venue } from '../../venues.ts'
import { Modal } from '../modal.tsx'
import { OneOf } from '../one-of.tsx'
import { Failed } from '../states.tsx'
import { FoundList, idOf } from './found-list.tsx'
import type { TypedAhead } from './typed-ahead.ts'

const TYPING_MS = 120

/** A market in the list. For a recently viewed market, only the id and the title are known. */
export type Offer = Pick<FoundMarket, 'venue' | 'market' | 'title'> & Partial<FoundMarket>

export type SearchProps = {
  /** Returns what was typed before the dialog appeared. */
  takeTyped: () => TypedAhead
  onClose: () => void
  /** Called with the chosen market; by default the market is opened. */
  onChoose?: (offer: Offer) => void
}

export function SearchDialog({ takeTyped, onClose, onChoose }: SearchProps) {
  const [typed, setTyped] = useState('')
  const [venue, setVenue] = useState<Venue | null>(null)
  const [pointedId, setPointedId] = useState<string | null>(null)
  const [entered, setEntered] = useState<Entered | null>(null)
  const requested = useSettled(queryText(typed), TYPING_MS)
  const { offers, failure, isBusy } = useOffers(requested, venue)
  // When a newer list arrives, keep the market that the reader pointed at, if it is still in the list.
  const active = Math.max(
    0,
    offers.findIndex((offer) => idOf(offer) === pointedId),
  )
  const point = (offer: Offer) => setPointedId(idOf(offer))
  const chosen = offers[active]
  // Until the answer arrives, the list still shows the previous answer.
  const isAnswered = requested === queryText(typed) && !isBusy

  const open = (offer: Offer, isInNewTab: boolean) => {
    if (onChoose !== undefined) return onChoose(offer)
    const view = marketView({ venue: offer.venue, market: offer.market, asset: null })
    if (isInNewTab) return void window.open(printView(view))
    onClose()
    go(view)
  }
  // This effect runs after the effect of the dialog, which moves the focus into the dialog's field.
  useEffect(() => {
    const { text, hasEnter } = takeTyped()
    setTyped(text)
    if (hasEnter) setEntered({ isInNewTab: false })
  }, [])
  useEffect(() => {
    if (entered === null || !isAnswered) return
    setEntered(null)
    if (chosen !== undefined) open(chosen, entered.isInNewTab)
  }, [entered, isAnswered])
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined && offers.length > 0) {
      event.preventDefault()
      const next = active + step
      const last = offers.length - 1
      point(offers[Math.abs(step) > 1 ? Math.max(0, Math.min(last, next)) : mod(next, offers.length)]!)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      setEntered({ isInNewTab: event.ctrlKey || event.metaKey })
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
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setPointedId(null)
            setEntered(null)
          }}
          onKeyDown={press}
        />
        <button type="button" class="plain" aria-label="Close, Esc" onClick={onClose}>
          <kbd>Esc</kbd>
        </button>
      </div>
      <OneOf
        label="Venue"
        all={[null, ...VENUES]}
        chosen={venue}
        nameOf={(each) => (each === null ? 'Both venues' : capital(each))}
        choose={setVenue}
      />
      {failure !== null && <Failed failure={failure} />}
      {requested === null && offers.length > 0 && <p class="quiet heading">Looked at before</p>}
      <FoundList {...{ offers, chosen, isBusy, requested: requested ?? '', open, press, point }} />
      <p class="quiet told" role="status">
        {statusText(requested, offers.length, isBusy, failure !== null)}
      </p>
    </Modal>
  )
}

/** Remembers that Enter was pressed, because the market to open is known only when the answer to the typed text has
 *  arrived. */
type Entered = { isInNewTab: boolean }

/** Returns the markets found; while a request is pending, the previous ones. */
function useOffers(requested: string | null, venue: Venue | null) {
  const [last, setLast] = useState<readonly Offer[]>([])
  const entry = requested === null ? null : foundMarkets(requested, venue)
  const value = entry?.value ?? null
  useEffect(() => {
    if (value !== null) setLast(value)
  }, [value])
  const before = recent.items
    .filter((each) => 'market' in each)
    .filter((each) => venue === null || each.venue === venue)
  const failure = entry?.failure ?? null
  const offers: readonly Offer[] = requested === null ? before : (value ?? (failure === null ? last : []))
  return { offers, failure, isBusy: entry !== null && value === null && failure === null }
}

/** Returns a value once it has not changed for `afterMs`. */
function useSettled<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const mod = (value: number, by: number) => ((value % by) + by) % by

function statusText(requested: string | null, count: number, isBusy: boolean, hasFailed: boolean): string {
  if (hasFailed) return ''
  if (requested === null)
    return count > 0 ? '' : 'Searches the markets of both venues: each word must begin a word of the market.'
  if (isBusy) return 'Looking …'
  if (count === 0) return 'No market has all of these words.'
  return countedText(count, 'market')
}

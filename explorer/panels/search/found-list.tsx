// The list of found markets; the reader chooses one by keys or with the pointer.

import { FoundLines } from './found-lines.tsx'
import type { Offer } from './search-dialog.tsx'

type ListProps = {
  offers: readonly Offer[]
  chosen: Offer | undefined
  isBusy: boolean
  requested: string
  open: (offer: Offer, isInNewTab: boolean) => void
  press: (event: KeyboardEvent) => void
  /** Called with the market under the pointer. */
  point: (offer: Offer) => void
}

export const FoundList = ({ offers, chosen, isBusy, requested, open, press, point }: ListProps) => (
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
        onPointerMove={() => point(offer)}
        onClick={(event) => open(offer, event.ctrlKey || event.metaKey)}
      >
        <FoundLines offer={offer} requested={requested} />
      </div>
    ))}
  </div>
)

export const idOf = ({ venue, market }: Offer) => `found-${venue}-${market}`

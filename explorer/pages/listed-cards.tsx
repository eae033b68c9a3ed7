// Shows the markets and events recently viewed on this device, and those on the watch list.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Failure } from '../data/ask.ts'
import { type Listed, nameOf, recent, viewOf, watched } from '../find/listed.ts'
import { selectedOf } from '../find/record-selection.ts'
import { recordToml } from '../find/record-toml.ts'
import { Failed } from '../panels/states.tsx'
import { Link } from '../panels/top.tsx'
import { WatchButton } from '../panels/watch-button.tsx'
import { countedText, shortId } from '../state/number-text.ts'
import { saveBlob } from '../take/save.ts'

export const Recent = () => (
  <Cards name="Looked at before" items={recent.items}>
    <button type="button" class="plain" onClick={() => recent.clear()}>
      Forget
    </button>
  </Cards>
)

export function Watched() {
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const { items } = watched
  const save = async () => {
    const selected = await selectedOf(items)
    const lost = selected.filter(({ ids }) => ids.length === 0).length
    const toml = recordToml(selected)
    if (toml !== '') saveBlob(new Blob([toml], { type: 'application/toml' }), 'record.toml')
    setNote(lost === 0 ? 'Saved' : `${countedText(lost, 'market')} left out: no slug or token is known`)
  }
  const trySave = () => {
    setFailure(null)
    save().catch(setFailure)
  }
  return (
    <>
      <Cards name="Watched" items={items}>
        <button
          type="button"
          class="plain"
          title="Save a record.toml that selects these for the recorder"
          onClick={trySave}
        >
          Save as record.toml
        </button>
        <span class="quiet" role="status">
          {note}
        </span>
      </Cards>
      {failure !== null && <Failed failure={failure} retry={trySave} />}
    </>
  )
}

type CardsProps = { name: string; items: readonly Listed[]; children: ComponentChildren }

function Cards({ name, items, children }: CardsProps) {
  if (items.length === 0) return null
  return (
    <section aria-label={name} class="cards">
      <h2>
        {name}
        {children}
      </h2>
      <ul>
        {items.map((item) => {
          const id = 'event' in item ? item.event : item.market
          return (
            <li key={nameOf(item)}>
              <div>
                <Link to={viewOf(item)}>{item.title ?? id}</Link>
                <span class="quiet">
                  <span class="venue">{item.venue}</span> {'event' in item && 'event '}
                  {item.title !== null && <span class="mono">{shortId(id)}</span>}
                </span>
              </div>
              <WatchButton item={item} isShort />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

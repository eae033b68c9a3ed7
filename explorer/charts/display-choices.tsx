// The choices of the display menu: size shown per column, colours, cut-offs, parts, studies, time zone, price unit.

import { OneOf, type OneOfProps, SomeOf, type SomeOfProps } from '../panels/one-of.tsx'
import { adjust } from '../state/address.ts'
import { sizeText } from '../state/number-text.ts'
import { chooseUnit, unit } from '../state/units.ts'
import { AGGREGATE_NAMES, AGGREGATES, AXES, PALETTES, PARTS, STUDIES, WITHIN } from '../state/view.ts'
import type { MenuProps } from './display-menu.tsx'

const ZONES = [
  ...['UTC', 'local', 'America/New_York', 'America/Chicago', 'America/Los_Angeles'],
  ...['Europe/London', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Singapore', 'Asia/Tokyo'],
]
const PALETTE_NAMES = { sides: 'by side', viridis: 'viridis', grey: 'grey' }
const AXES_NAMES = { right: 'right', both: 'on both sides' }
const STUDY_NAMES = { vwap: 'VWAP', delta: 'delta', imbalance: 'imbalance', depth: 'depth', profile: 'volume at price' }
const STUDY_TITLES = {
  vwap: 'What contracts cost on average, since the left edge',
  delta: 'What takers bought less what they sold, since the left edge',
  imbalance: 'Best bid size less best ask size, as a share of both',
  depth: 'What rests near the mid',
  profile: 'What was traded at each price, at the right edge',
}
const PART_TITLES = {
  spread: 'The spread, below the prices',
  quotes: 'How many quotes there were',
  volume: 'What was bought and sold',
  ladder: 'The book beside the chart',
}

export function DisplayChoices({ stretch, scale }: MenuProps) {
  const zones = ZONES.includes(stretch.zone) ? ZONES : [...ZONES, stretch.zone]
  const { cutOff, studies, within, hidden } = stretch
  const cut = (change: Partial<typeof cutOff>) => adjust({ cutOff: { ...cutOff, ...change } })
  return (
    <div class="menu-body">
      <Choice
        name="Size shown"
        all={AGGREGATES}
        nameOf={(each) => AGGREGATE_NAMES[each]}
        chosen={stretch.aggregate}
        choose={(aggregate) => adjust({ aggregate })}
      />
      <Choice
        name="Colours"
        all={PALETTES}
        nameOf={(each) => PALETTE_NAMES[each]}
        chosen={stretch.palette}
        choose={(palette) => adjust({ palette })}
      />
      <SizeField name="Draw sizes from" value={cutOff.lowest} auto={0} set={(lowest) => cut({ lowest })} />
      <SizeField
        name="Brightest from"
        value={cutOff.highest}
        auto={scale.highest}
        set={(highest) => cut({ highest })}
      />
      <SizeField
        name="Trades from"
        value={stretch.leastTrade}
        auto={0}
        set={(size) => adjust({ leastTrade: size === 0 ? null : size })}
      />
      <Several
        name="Parts"
        all={PARTS}
        nameOf={(each) => each}
        titleOf={(each) => PART_TITLES[each]}
        chosen={PARTS.filter((each) => !hidden.includes(each))}
        choose={(parts) => adjust({ hidden: PARTS.filter((each) => !parts.includes(each)) })}
      />
      <Several
        name="Studies"
        all={STUDIES}
        nameOf={(each) => STUDY_NAMES[each]}
        titleOf={(each) => STUDY_TITLES[each]}
        chosen={studies}
        choose={(some) => adjust({ studies: some })}
      />
      {studies.includes('depth') && (
        <Choice
          name="Depth within"
          all={WITHIN.toSorted((a, b) => a - b)}
          nameOf={(cents) => `${cents}¢`}
          chosen={within}
          choose={(cents) => adjust({ within: cents })}
        />
      )}
      <label>
        <span>Time zone</span>
        <select value={stretch.zone} onChange={({ currentTarget }) => adjust({ zone: currentTarget.value })}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone === 'local' ? `${Intl.DateTimeFormat().resolvedOptions().timeZone} (here)` : zone}
            </option>
          ))}
        </select>
      </label>
      <Choice
        name="Price axis"
        all={AXES}
        nameOf={(each) => AXES_NAMES[each]}
        chosen={stretch.axes}
        choose={(axes) => adjust({ axes })}
      />
      <Choice
        name="Prices in"
        all={['cents', 'dollars'] as const}
        nameOf={(each) => each}
        chosen={unit.value}
        choose={chooseUnit}
      />
    </div>
  )
}

const Choice = <T,>({ name, ...offered }: { name: string } & OneOfProps<T>) => (
  <fieldset>
    <legend>{name}</legend>
    <OneOf {...offered} />
  </fieldset>
)

const Several = <T,>({ name, ...offered }: { name: string } & SomeOfProps<T>) => (
  <fieldset>
    <legend>{name}</legend>
    <SomeOf {...offered} />
  </fieldset>
)

/** A field for a size in contracts; null leaves the choice to the page. */
function SizeField({ name, value, auto, set }: { name: string; value: number | null; auto: number; set: Setter }) {
  const choose = (text: string) => {
    const size = text.trim() === '' ? null : Number(text)
    if (size === null || (Number.isFinite(size) && size >= 0)) set(size)
  }
  return (
    <label>
      <span>{name}</span>
      <input
        type="number"
        min="0"
        step="any"
        placeholder={sizeText(auto)}
        value={value ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </label>
  )
}

type Setter = (size: number | null) => void

// A choice of one of several, all in view: buttons beside each other, of which one is pressed.

type Props<T> = {
  /** What it is that is chosen; left out where a heading says it. */
  label?: string
  all: readonly T[]
  chosen: T
  nameOf: (one: T) => string
  choose: (one: T) => void
  titleOf?: (one: T) => string
  /** The key that goes to the next. */
  keys?: string
}

export const OneOf = <T,>({ label, all, chosen, nameOf, choose, titleOf, keys }: Props<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own
  <span class="choices" role="group" aria-label={label}>
    {all.map((one) => (
      <button
        key={nameOf(one)}
        type="button"
        aria-pressed={one === chosen}
        aria-keyshortcuts={keys}
        title={titleOf?.(one)}
        onClick={() => choose(one)}
      >
        {nameOf(one)}
      </button>
    ))}
  </span>
)

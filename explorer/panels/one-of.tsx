// A row of buttons to choose one of several values, or some of them; the chosen ones look pressed.

type Offered<T> = {
  /** A label that names the choice; omitted if a heading already names it. */
  label?: string
  all: readonly T[]
  nameOf: (one: T) => string
  titleOf?: (one: T) => string
  /** The key that chooses the next value. */
  keys?: string
}
export type OneOfProps<T> = Offered<T> & { chosen: T; choose: (one: T) => void }
export type SomeOfProps<T> = Offered<T> & { chosen: readonly T[]; choose: (some: T[]) => void }

export const OneOf = <T,>({ chosen, choose, ...offered }: OneOfProps<T>) => (
  <Buttons {...offered} look="choices" isPressed={(one) => one === chosen} press={choose} />
)

export const SomeOf = <T,>({ chosen, choose, ...offered }: SomeOfProps<T>) => (
  <Buttons
    {...offered}
    look="several"
    isPressed={(one) => chosen.includes(one)}
    press={(one) => choose(offered.all.filter((each) => (each === one) !== chosen.includes(each)))}
  />
)

type ButtonsProps<T> = Offered<T> & { look: string; isPressed: (one: T) => boolean; press: (one: T) => void }

const Buttons = <T,>({ label, all, nameOf, titleOf, keys, look, isPressed, press }: ButtonsProps<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own
  <span class={look} role="group" aria-label={label}>
    {all.map((one) => (
      <button
        key={nameOf(one)}
        type="button"
        aria-pressed={isPressed(one)}
        aria-keyshortcuts={keys}
        title={titleOf?.(one)}
        onClick={() => press(one)}
      >
        {nameOf(one)}
      </button>
    ))}
  </span>
)

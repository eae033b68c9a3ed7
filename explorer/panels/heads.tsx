// The names of a table's columns. Those of numbers stand at the right.

import type { ComponentChildren } from 'preact'

type HeadsProps = { names: readonly string[]; numbers?: readonly string[]; children?: ComponentChildren }

/** `children` come behind the names. */
export const Heads = ({ names, numbers = [], children }: HeadsProps) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col" class={numbers.includes(name) ? 'number' : ''}>
          {name}
        </th>
      ))}
      {children}
    </tr>
  </thead>
)

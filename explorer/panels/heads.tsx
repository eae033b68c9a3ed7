// The header row of a table. Names of number columns are aligned right.

import type { ComponentChildren } from 'preact'

type HeadsProps = { names: readonly string[]; numbers?: readonly string[]; children?: ComponentChildren }

/** `children` are added after the names. */
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

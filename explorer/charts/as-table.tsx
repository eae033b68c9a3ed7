// Shows the chart's data as a table of at most 60 rows, for copying and for readers who cannot see the chart.

import { useState } from 'preact/hooks'
import { lazy } from '../panels/lazy.tsx'
import type { Span } from '../state/shown.ts'
import type { Stretch } from '../state/view.ts'
import type { MarketWindows } from './market-windows.ts'

const TableRows = lazy(async () => (await import('./table-rows.tsx')).TableRows)

type TableProps = { windows: MarketWindows; span: Span; stretch: Stretch }

export function AsTable({ id, ...shown }: TableProps & { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="as-table" id={id} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && <TableRows {...shown} />}
    </details>
  )
}

// What the chart shows, as a table of at most a few dozen rows: for readers who cannot see the chart, and to copy.

import { useState } from 'preact/hooks'
import { lazy } from '../panels/lazy.tsx'
import type { Span } from '../state/shown.ts'
import type { MarketWindows } from './market-windows.ts'

const TableRows = lazy(async () => (await import('./table-rows.tsx')).TableRows)

export function AsTable({ id, windows, span, zone }: { id: string; windows: MarketWindows; span: Span; zone: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="as-table" id={id} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && <TableRows {...{ windows, span, zone }} />}
    </details>
  )
}

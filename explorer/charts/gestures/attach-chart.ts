// What gestures on the panes of a chart do to what the page shows.

import { view } from '../../state/address.ts'
import { clickAt, doubleClick, reshape } from '../../state/back.ts'
import { hovered } from '../base/hovered.ts'
import type { Attach } from '../pane/pane.tsx'
import { attachGestures } from './pan-zoom.ts'

/** `priced` is the pane whose prices can be chosen; in others a gesture changes the time alone. */
export const attachChart =
  (priced?: string): Attach =>
  (surface, plot, pane) => {
    const hasPrices = pane === priced
    return attachGestures(surface, plot, {
      show: ({ span, prices }) => {
        const time = span && { fromMs: span.fromMs, toMs: span.toMs }
        const priceRange = hasPrices && prices !== undefined && { prices }
        if (time || priceRange) reshape({ ...time, ...priceRange })
      },
      setCursor: clickAt,
      hover: (at) => {
        hovered.value = at && { ...at, pane }
      },
      reset: doubleClick,
      hasPrices,
      arePricesFree: () => {
        const now = view.peek()
        return hasPrices && 'prices' in now && now.prices !== null
      },
    })
  }

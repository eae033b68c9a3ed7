// Applies the gestures on a chart's panes to the page's state.

import { view } from '../../state/address.ts'
import { clickAt, doubleClick, reshape } from '../../state/back.ts'
import { hovered } from '../base/hovered.ts'
import type { Attach } from '../pane/pane.tsx'
import { attachGestures } from './pan-zoom.ts'

/** `priced` is the pane whose price range can be changed. In other panes a gesture changes only the time. */
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

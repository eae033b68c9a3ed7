// How wide an element is, px; 0 until it is there.

import { useEffect, useState } from 'preact/hooks'

export function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const node = place.current!
    const watch = new ResizeObserver(() => setWidth(node.clientWidth))
    watch.observe(node)
    return () => watch.disconnect()
  }, [])
  return width
}

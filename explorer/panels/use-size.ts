// Hooks that return the size of an element, px; 0 until it is mounted.

import { useLayoutEffect, useState } from 'preact/hooks'

type Place = { current: HTMLElement | null }

export const useWidth = (place: Place): number => useSize(place, 'clientWidth')
export const useHeight = (place: Place): number => useSize(place, 'clientHeight')

function useSize(place: Place, name: 'clientWidth' | 'clientHeight'): number {
  const [size, setSize] = useState(0)
  useLayoutEffect(() => {
    const node = place.current
    if (node === null) return
    setSize(node[name])
    const watch = new ResizeObserver(() => setSize(node[name]))
    watch.observe(node)
    return () => watch.disconnect()
  }, [])
  return size
}

// Loads a part of the page when it is first shown, so that the first view stays small.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addSheet } from './sheet.ts'

/** Returns a component that stands in for the loaded one. `load` imports the part's module; it is called once. `sheet`
 *  is the address of the part's own styles. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  sheet?: string,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [, setLoaded] = useState(loaded !== undefined)
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded !== undefined || hasFailed) return
      loading ??= load()
      const styled = sheet === undefined ? undefined : addSheet(sheet)
      Promise.all([loading, styled]).then(
        ([part]) => {
          loaded = part
          setLoaded(true)
        },
        () => {
          loading = undefined
          setFailed(true)
        },
      )
    }, [hasFailed])
    if (loaded !== undefined) {
      const Part = loaded
      return <Part {...props} />
    }
    if (!hasFailed)
      return (
        <p class="quiet" aria-busy="true">
          …
        </p>
      )
    return (
      <div class="failed" role="alert">
        <p>This part of the page cannot be loaded. The server may be restarting, or you may be offline.</p>
        <button type="button" onClick={() => setFailed(false)}>
          Try again
        </button>
      </div>
    )
  }
}

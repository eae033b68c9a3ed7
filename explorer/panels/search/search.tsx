// The search. Its dialog loads when it is first opened; text typed in the meantime is not lost.

import { useLayoutEffect, useRef } from 'preact/hooks'
import searchSheet from '../../styles/search.css' with { type: 'file' }
import { lazy } from '../lazy.tsx'
import type { SearchProps } from './search-dialog.tsx'
import { TypedAhead } from './typed-ahead.ts'

const SearchDialog = lazy(async () => (await import('./search-dialog.tsx')).SearchDialog, searchSheet)

export const Search = (props: Omit<SearchProps, 'takeTyped'>) => <SearchDialog {...props} takeTyped={useTypedAhead()} />

/** Collects the typed text until it is taken. */
function useTypedAhead(): () => TypedAhead {
  const typed = useRef(new TypedAhead())
  const stop = useRef(() => {})
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
      if (!typed.current.press(event.key)) return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', press, true)
    stop.current = () => removeEventListener('keydown', press, true)
    return stop.current
  }, [])
  return () => {
    stop.current()
    return typed.current
  }
}

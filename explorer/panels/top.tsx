// The bar above every page: home, search, and settings of the page.

import { go } from '../state/address.ts'
import { showDialog } from '../state/dialogs.ts'
import { isAccessOpen, key } from '../state/key.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { chooseTheme, isDark } from '../state/theme.ts'
import { parseView, printView, type View } from '../state/view.ts'

export function Top() {
  useShortcuts([
    { keys: ['/', 'Control+k'], label: 'Find a market', run: () => showDialog('search') },
    { keys: ['?'], label: 'What the keys do', run: () => showDialog('shortcuts') },
  ])
  const theme = isDark.value ? 'light' : 'dark'
  return (
    <nav class="top" aria-label="Page">
      <Link to={{ page: 'start' }} className="home">
        backbook
      </Link>
      <button type="button" class="find" aria-keyshortcuts="/ Control+K" onClick={() => showDialog('search')}>
        <span>Find a market</span>
        <kbd>/</kbd>
      </button>
      <span class="links">
        <Link to={parseView('/explore/compare', '')}>Compare</Link>
        <Link to={{ page: 'status' }}>Status</Link>
        <a href="/docs">Documentation</a>
      </span>
      {(key.value !== null || !isAccessOpen.value) && (
        <button type="button" class="plain" onClick={() => showDialog('key')}>
          {key.value === null ? 'Enter key' : 'Key'}
        </button>
      )}
      <button type="button" class="plain sign" aria-label={`Colours: ${theme}`} onClick={() => chooseTheme(theme)}>
        ◐
      </button>
      <button
        type="button"
        class="plain sign"
        aria-label="Keyboard"
        aria-keyshortcuts="?"
        onClick={() => showDialog('shortcuts')}
      >
        ?
      </button>
    </nav>
  )
}

/** A link that shows another view without reloading the page. Ctrl, Cmd and Shift open a tab or window as usual. */
export function Link({ to, className = '', children }: { to: View; className?: string; children: string }) {
  return (
    <a
      href={printView(to)}
      class={className}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

// The explorer: which page an address shows.

import { render } from 'preact'
import { MarketPage } from './pages/market-page.tsx'
import { Top } from './panels/top.tsx'
import { go, view } from './state/address.ts'
import { applyTheme } from './state/theme.ts'

function Page() {
  const shown = view.value
  if (shown.page === 'market') return <MarketPage key={shown.book.market} view={shown} />
  if (shown.page === 'start')
    return (
      <main class="start">
        <h1>Order-book history</h1>
      </main>
    )
  return (
    <main>
      <h1>Nothing is here</h1>
      <p>
        <a href="/explore">Look for a market</a>
      </p>
    </main>
  )
}

function App() {
  return (
    <>
      <Top onHome={() => go({ page: 'start' })} />
      <Page />
    </>
  )
}

applyTheme()
render(<App />, document.getElementById('page')!)

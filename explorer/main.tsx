// The entry point of the explorer: shows the page of the current address.

import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialogs } from './pages/dialogs.tsx'
import { MarketPage } from './pages/market-page.tsx'
import { lazy } from './panels/lazy.tsx'
import { Top } from './panels/top.tsx'
import { view } from './state/address.ts'
import { applyTheme } from './state/theme.ts'
import compareSheet from './styles/compare.css' with { type: 'file' }
import embeddedSheet from './styles/embedded.css' with { type: 'file' }
import eventSheet from './styles/event.css' with { type: 'file' }
import startSheet from './styles/start.css' with { type: 'file' }
import statusSheet from './styles/status.css' with { type: 'file' }

const KeysPage = lazy(async () => (await import('./pages/keys-page.tsx')).KeysPage)
const StatusPage = lazy(async () => (await import('./pages/status-page.tsx')).StatusPage, statusSheet)
const StartPage = lazy(async () => (await import('./pages/start-page.tsx')).StartPage, startSheet)
const MarketsPage = lazy(async () => (await import('./pages/markets-page.tsx')).MarketsPage, startSheet)
const EventPage = lazy(async () => (await import('./event/event-page.tsx')).EventPage, eventSheet)
const EmbeddedPage = lazy(async () => (await import('./pages/embedded-page.tsx')).EmbeddedPage, embeddedSheet)
const ComparePage = lazy(async () => (await import('./pages/compare-page.tsx')).ComparePage, compareSheet)

function Page() {
  const shown = view.value
  if (shown.page === 'market') {
    const Shown = shown.isEmbedded ? EmbeddedPage : MarketPage
    return <Shown key={shown.book.market} view={shown} />
  }
  if (shown.page === 'keys') return <KeysPage />
  if (shown.page === 'status') return <StatusPage />
  if (shown.page === 'compare') return <ComparePage view={shown} />
  if (shown.page === 'event') return <EventPage key={shown.event} view={shown} />
  if (shown.page === 'markets') return <MarketsPage key={shown.venue} view={shown} />
  if (shown.page === 'start') return <StartPage view={shown} />
  return (
    <main>
      <h1>Nothing is here</h1>
      <p>
        <a href="/explore">Look for a market</a>
      </p>
    </main>
  )
}

const TITLES = {
  start: 'backbook',
  markets: 'Markets · backbook',
  status: 'Status · backbook',
  keys: 'Keys · backbook',
  compare: 'Compare · backbook',
  lost: 'backbook',
}

function App() {
  const { page } = view.value
  const isBare = view.value.page === 'market' && view.value.isEmbedded
  useEffect(() => {
    // The pages of markets and events set their own titles.
    if (page !== 'market' && page !== 'event') document.title = TITLES[page]
  }, [page])
  return (
    <>
      {!isBare && <Top />}
      <Page />
      <Dialogs />
    </>
  )
}

applyTheme()
render(<App />, document.getElementById('page')!)

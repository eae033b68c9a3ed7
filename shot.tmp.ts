import { openExplorer } from './test/support/explorer/browser.ts'
const { url, secret } = JSON.parse(await Bun.file('/tmp/h/small15/served.json').text())
await using ex = await openExplorer(url)
for (const [w,h] of [[800,800],[800,1100],[1024,768],[360,800],[1280,800],[1440,900],[800,700]] as const) {
  await using v = await ex.visit(`/explore/kalshi/KXDEMODAY-26JUL20-T50?at=2026-07-20T12:00:00Z#key=${secret}`, { width: w, height: h })
  await v.page.locator('.chart-panes[aria-busy=false]').waitFor(); await v.page.locator('.ladder tbody tr').first().waitFor()
  await v.page.waitForTimeout(500)
  await v.page.screenshot({ path: `/tmp/h/small15/shots/m-${w}-${h}.png` })
  const m = await v.page.evaluate(`JSON.stringify([document.querySelector('.minimap').getBoundingClientRect(), document.querySelector('.player').getBoundingClientRect(), document.querySelector('.chart').getBoundingClientRect()].map(b=>[b.top,b.bottom]))`)
  console.log(w,h,m)
}

import { openExplorer } from './test/support/explorer/browser.ts'
const { url, secret } = JSON.parse(await Bun.file('/tmp/h/small15/served.json').text())
await using ex = await openExplorer(url)
await using v = await ex.visit(`/explore/kalshi/KXDEMODAY-26JUL20-T50?at=2026-07-20T12:00:00Z#key=${secret}`, { width: 1280, height: 900 })
await v.page.locator('.chart-panes[aria-busy=false]').waitFor(); await v.page.locator('.ladder tbody tr').first().waitFor()
let last=''
for (let w=1400; w>=340; w-=6) {
  await v.page.setViewportSize({width:w,height:900}); 
  const m = await v.page.evaluate(`JSON.stringify([document.querySelector('.player').getBoundingClientRect().height, document.querySelector('.main, .chart-panes').getBoundingClientRect().top])`) as string
  if (m!==last) console.log(w, await v.page.evaluate(`document.querySelector('.panes').clientWidth`), m)
  last=m
}

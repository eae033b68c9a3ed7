// long: a browser draws every view
// Manages the keys of a user in the browser with the admin token: makes, renews and revokes keys and shows their use.

import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../../support/explorer/browser.ts'
import { demoBrowser } from '../../support/explorer/demo-browser.ts'

const TOKEN = 'the-admin-token'
const CALENDAR = '/api/v1/kalshi/calendar'

describe.skipIf(!hasChromium)('keys of a user', () => {
  const served = demoBrowser({ adminToken: TOKEN })

  const statusWith = async (secret: string) =>
    (await fetch(served.demo.url + CALENDAR, { headers: { authorization: `Bearer ${secret}` } })).status

  test('are made, renewed and revoked with the admin token', async () => {
    await using visit = await served.explorer.visit('/explore/keys')
    const { page } = visit
    await page.getByLabel(/^Admin token/).fill('not-the-token')
    await page.keyboard.press('Enter')
    await page.getByText('That is not this server’s admin token.').waitFor()
    await page.getByLabel(/^Admin token/).fill(TOKEN)
    await page.keyboard.press('Enter')
    await page.getByText('This user has no key.').waitFor()

    await page.getByLabel('New key for').fill('laptop')
    await page.getByLabel('venues').selectOption('kalshi')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const secret = page.locator('.secret .mono')
    await secret.waitFor()
    const first = (await secret.textContent())!
    expect(await statusWith(first)).toBe(200)
    const row = page.getByRole('region', { name: 'Keys' }).locator('tbody tr')
    for (const hasText of ['laptop', 'active', 'kalshi']) await row.filter({ hasText }).waitFor()

    await page.getByRole('button', { name: 'New secret for laptop' }).click()
    await page.getByRole('button', { name: 'No', exact: true }).click()
    expect(await statusWith(first)).toBe(200)
    await page.getByRole('button', { name: 'New secret for laptop' }).click()
    await page.getByRole('button', { name: 'Give it a new one' }).click()
    await secret.getByText(first).waitFor({ state: 'detached' })
    const second = (await secret.textContent())!
    expect(second).not.toBe(first)
    expect(await statusWith(second)).toBe(200)

    await page.getByRole('button', { name: 'Revoke laptop' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await row.getByText('revoked').waitFor()
    await row.getByRole('button').first().waitFor({ state: 'detached' })
  })

  test('show what they were used for', async () => {
    await using visit = await served.explorer.visit('/explore/keys')
    const { page } = visit
    await page.getByLabel(/^Admin token/).fill(TOKEN)
    await page.keyboard.press('Enter')
    await served.demo.get(CALENDAR)
    // The typed text stays while the page refreshes the data of the previous user.
    await page.getByRole('heading', { name: 'Your keys' }).waitFor()
    await page.getByLabel('User').fill('ann')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const usage = page.getByRole('region', { name: 'Usage' })
    await usage.getByText(`GET ${CALENDAR}`).first().waitFor()
    await usage.getByText(/^1 request in 30 days$/).waitFor()
    const today = new Date().toISOString().slice(0, 10)
    await usage.locator('.used li').last().getByText(`${today}: 1 request`).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Forget it' }).click()
    await page.getByLabel(/^Admin token/).waitFor()
    await usage.waitFor({ state: 'detached' })
  })
})

// Simulates a person who looks through a day for a long time: drags, zooms in and out, steps through messages, and
// moves on. Records the memory of the page's process meanwhile.

import { ownMb, sharedMb } from '../measure/process-memory.ts'
import { BarePage } from './bare-page.ts'

export type HeldMemory = { minutes: number; mb: number }

const DRAWN = `document.querySelector('[role=application]')?.getAttribute('aria-busy') === 'false' &&
  document.querySelector('.ladder tr.has-bid')`
const STEPS = 20
const WHEEL_PX = 40
/** Number of rounds after which the whole day is shown again. Each round zooms in by the next number of wheel
 *  turns in TURNS. */
const DAY_EVERY = 8
const TURNS = [10, 20, 35, 50, 65]
/** How many times the memory is recorded. */
const NOTES = 10

/** Uses the page for `minutes`. Returns its memory at even intervals, MB; the last value is measured at the end. */
export async function panForMinutes(address: string, minutes: number): Promise<HeldMemory[]> {
  await using page = await BarePage.open(address)
  await page.until(DRAWN)
  const { x, y, width, height } = await page.boxOf('.pane .surface')
  const middle = { x: x + width / 2, y: y + height / 2 }
  const aside = { x: x + width / 3, y: middle.y }
  const held: HeldMemory[] = []
  const startMs = performance.now()
  const passed = () => (performance.now() - startMs) / 60_000
  const note = async () => {
    const mb = await memoryOf(page)
    if (mb !== undefined) held.push({ minutes: passed(), mb })
  }
  for (let round = 0; passed() < minutes; round++) {
    const turns = TURNS[round % TURNS.length]!
    for (let i = 0; i < turns; i++) await page.wheel(aside, -WHEEL_PX)
    const way = round % 3 === 0 ? 0.4 : -0.4
    await page.drag(middle, { x: middle.x + width * way, y: middle.y }, STEPS)
    for (let i = 0; i < STEPS; i++) await page.press(i % 3 === 0 ? ',' : '.', { text: i % 3 === 0 ? ',' : '.' })
    for (let i = 0; i < turns; i++) await page.wheel(aside, WHEEL_PX)
    if (round % DAY_EVERY === DAY_EVERY - 1) await page.press('0', { text: '0' })
    else await page.press('ArrowRight', { shift: true })
    if (passed() > ((held.length + 1) * minutes) / NOTES) await note()
  }
  await note()
  return held
}

/** Returns the memory of the page's process, MB, including the shared memory that it draws into; undefined if the
 *  system does not report it. */
async function memoryOf(page: BarePage): Promise<number | undefined> {
  const pid = await page.pid()
  const [own, shared] = [ownMb(pid), sharedMb(pid)]
  return own === undefined || shared === undefined ? undefined : own + shared
}

// How long things take, in milliseconds.

import { median } from './median.ts'

type Run = () => unknown

export async function elapsedMs(run: Run): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

export async function medianMs(repetitions: number, run: Run): Promise<number> {
  const times: number[] = []
  for (let repetition = 0; repetition < repetitions; repetition++) times.push(await elapsedMs(run))
  return median(times)
}

/** Medians of things that are to be compared. They take turns, in reversed order each time, so that a slow moment of
 *  the machine falls on all of them. */
export async function inTurn<Name extends string>(
  repetitions: number,
  runs: Record<Name, Run>,
): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const order = repetition % 2 === 0 ? names : [...names].reverse()
    for (const name of order) times.get(name)!.push(await elapsedMs(runs[name]))
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>
}

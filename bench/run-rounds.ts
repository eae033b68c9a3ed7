// Runs a topic several times, each in a fresh process because a used one is warm, and takes medians.

import { fileURLToPath } from 'node:url'
import { median } from './measure/median.ts'
import type { Figure, Outcome, Size } from './topic.ts'
import { type TopicName, topicEntry } from './topics.ts'

export type RunOptions = { size: Size; rounds: number; withPeers: boolean; minutes?: number; folder?: string }

export type MeasuredFigure = Figure & { values: number[] }
export type MeasuredTopic = {
  topic: TopicName
  title: string
  figures: MeasuredFigure[]
  answers: Outcome['answers']
  notes: string[]
}

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const PINNED = ['taskset', '--cpu-list', '0']

type Step = 'prepare' | 'measure' | 'both'

/** Runs the rounds of a topic. At the smoke size, both steps run once in one process, because the figures do not
 *  matter. */
export async function runRounds(topic: TopicName, options: RunOptions): Promise<MeasuredTopic> {
  if (options.size === 'smoke') return mergeRounds(topic, [await runProcess(topic, 'both', options)])
  await prepareTopic(topic, options)
  const outcomes: Outcome[] = []
  for (let round = 0; round < options.rounds; round++) outcomes.push(await measureTopic(topic, options))
  return mergeRounds(topic, outcomes)
}

export async function prepareTopic(topic: TopicName, options: RunOptions): Promise<void> {
  await runProcess(topic, 'prepare', options)
}

export const measureTopic = (topic: TopicName, options: RunOptions): Promise<Outcome> =>
  runProcess(topic, 'measure', options)

/** Takes the median of each figure. Throws if the answers differ between rounds. */
export function mergeRounds(topic: TopicName, outcomes: readonly Outcome[]): MeasuredTopic {
  const first = outcomes[0]!
  const figures = first.figures.map((figure) => {
    const values = outcomes.flatMap(({ figures }) =>
      figures.filter(({ name }) => name === figure.name).map(({ value }) => value),
    )
    return { ...figure, value: median(values), values }
  })
  const differ = outcomes.some(({ answers }) => !Bun.deepEquals(answers, first.answers))
  if (differ) throw new Error(`${topic} gives different answers in each round: its figures mean nothing`)
  return { topic, title: topicEntry(topic).title, figures, answers: first.answers, notes: first.notes }
}

async function runProcess(topic: TopicName, step: Step, options: RunOptions): Promise<Outcome> {
  const { size, withPeers, minutes, folder = PROJECT } = options
  const flags = [...(withPeers ? ['--peers'] : []), ...(minutes === undefined ? [] : [`--minutes=${minutes}`])]
  const pinned = topicEntry(topic).isOneCore === true && step === 'measure' && Bun.which('taskset') !== null
  const command = [process.execPath, 'bench/run-topic.ts', topic, step, size, ...flags]
  const child = Bun.spawn(pinned ? [...PINNED, ...command] : command, {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const printed = await new Response(child.stdout).text()
  const code = await child.exited
  if (code !== 0) throw new Error(`topic ${topic} failed at '${step}' with exit code ${code}`)
  return JSON.parse(printed) as Outcome
}

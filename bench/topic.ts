// Defines the interface of a topic, which is measured in a process of its own, and the outcome that it reports.

/** `smoke` only shows that the topic still works: its figures mean nothing. */
export type Size = 'smoke' | 'full'

export type Unit = 'ms' | 'records/s' | 'requests/s' | 'bytes/record' | 'MB' | 'ratio'

/** The value that a figure has to reach. */
export type Target = { atLeast: number } | { atMost: number }

export type Figure = { name: string; value: number; unit: Unit; target?: Target }

export type Outcome = {
  figures: Figure[]
  /** Counts and checksums of the answers: they show whether a faster program still gives the same answers. */
  answers: Record<string, string | number>
  notes: string[]
}

export type TopicContext = {
  size: Size
  withPeers: boolean
  /** Duration for topics that can run for any length of time. */
  minutes?: number
}

export type Topic = {
  /** Builds missing data, in a process that runs before the measured ones. */
  prepare(context: TopicContext): Promise<void>
  run(context: TopicContext, findings: Findings): Promise<void>
}

/** Collects the findings of a topic, in order. */
export class Findings {
  readonly outcome: Outcome = { figures: [], answers: {}, notes: [] }

  figure(name: string, value: number, unit: Unit, target?: Target): void {
    this.outcome.figures.push({ name, value, unit, ...(target === undefined ? {} : { target }) })
  }

  answer(name: string, value: string | number): void {
    this.outcome.answers[name] = value
  }

  note(text: string): void {
    this.outcome.notes.push(text)
  }
}

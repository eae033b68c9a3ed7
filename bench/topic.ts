// What a topic is: something measured in a process of its own, and what it says of it.

/** `smoke` only shows that the topic still works: its figures say nothing. */
export type Size = 'smoke' | 'full'

export type Unit = 'ms' | 'records/s' | 'requests/s' | 'bytes/record' | 'MB' | 'ratio'

/** What the figure has to reach. */
export type Target = { atLeast: number } | { atMost: number }

export type Figure = { name: string; value: number; unit: Unit; target?: Target }

export type Outcome = {
  figures: Figure[]
  /** Counts and checksums of what was answered: they tell a faster program from one that answers something else. */
  answers: Record<string, string | number>
  notes: string[]
}

export type TopicContext = {
  size: Size
  withPeers: boolean
  /** Of what goes on for as long as one likes. */
  minutes?: number
}

export type Topic = {
  /** Builds the data that is missing, in a process before the measured ones. */
  prepare(context: TopicContext): Promise<void>
  run(context: TopicContext, findings: Findings): Promise<void>
}

/** Collects what a topic finds, in the order it is found. */
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

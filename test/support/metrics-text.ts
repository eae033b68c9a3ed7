// Reads the metrics text as Prometheus does, and rejects what Prometheus rejects: a sample without a described metric,
// a series that appears twice, a histogram whose buckets do not add up.

export type Sample = { name: string; labels: Record<string, string>; value: number }

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

export class Metrics {
  readonly samples: readonly Sample[]
  readonly types = new Map<string, string>()

  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('the last line has no end')
    const seen = new Set<string>()
    this.samples = text.split('\n').flatMap((line) => {
      const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
      if (kind === 'TYPE') this.types.set(name, rest)
      if (line === '' || kind !== undefined) return []
      const sample = toSample(line)
      const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`
      if (seen.has(series)) throw new Error(`appears twice: ${line}`)
      seen.add(series)
      if (!this.types.has(baseName(sample.name, this.types))) throw new Error(`not described: ${line}`)
      return [sample]
    })
    for (const [name, type] of this.types) if (type === 'histogram') this.#checkHistogram(name)
  }

  /** Returns all samples of a name that have these labels. */
  find(name: string, labels: Record<string, string> = {}): Sample[] {
    const wanted = Object.entries(labels)
    return this.samples.filter(
      (each) => each.name === name && wanted.every(([key, value]) => each.labels[key] === value),
    )
  }

  /** Returns the value of the only sample; undefined if there is none. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    const found = this.find(name, labels)
    if (found.length > 1) throw new Error(`${name} has ${found.length} samples`)
    return found[0]?.value
  }

  #checkHistogram(name: string): void {
    for (const { labels, value: count } of this.find(`${name}_count`)) {
      const buckets = this.find(`${name}_bucket`, labels)
      const bounds = buckets.map((bucket) => (bucket.labels['le'] === '+Inf' ? Infinity : Number(bucket.labels['le'])))
      const isRising = (values: number[]) => values.every((value, index) => index === 0 || value >= values[index - 1]!)
      if (!isRising(bounds) || !isRising(buckets.map(({ value }) => value)))
        throw new Error(`${name} is not cumulative`)
      if (bounds.at(-1) !== Infinity || buckets.at(-1)!.value !== count) throw new Error(`${name} does not add up`)
      if (this.find(`${name}_sum`, labels).length !== 1) throw new Error(`${name} has no sum`)
    }
  }
}

function toSample(line: string): Sample {
  const [, name, text = '', number] = SAMPLE.exec(line) ?? []
  const value = number === '+Inf' ? Infinity : Number(number)
  if (name === undefined || Number.isNaN(value)) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text)
    if (match === null) throw new Error(`labels cannot be read: ${line}`)
    labels[match[1]!] = match[2]!.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
  }
  return { name, labels, value }
}

function baseName(name: string, types: Map<string, string>): string {
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  return types.get(base) === 'histogram' ? base : name
}

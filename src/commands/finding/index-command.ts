// A command that prints the answer of an endpoint which answers from the index: its flags follow from the question.

import type { TObject } from '@sinclair/typebox'
import { type Command, Option } from 'commander'
import { quotedCsv } from '../../../workers/table/quoted-text.ts'
import { assertQuery } from '../../http/parameters/assert-query.ts'
import type { Parameter } from '../../http/parameters/parameter.ts'
import { querySchema } from '../../http/parameters/venue-parameters.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import type { IndexQuestion } from '../../questions/question.ts'
import { inCommandWords } from '../questions/ask-market.ts'
import { addMarket, addParameters, questionOf, venueOption, type WindowOptions } from '../questions/market-question.ts'
import { withStore } from '../questions/stored-data.ts'
import { addSettings } from '../settings.ts'
import { type AddCommand, addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { table } from '../terminal/table.ts'

const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const
type Format = (typeof FORMATS)[number]
type Cell = string | number | boolean | null
export type Answer = Record<string, unknown>

export type IndexCommand = {
  name: string
  question: IndexQuestion<string>
  description: string
  /** Words of the command line that stand in the place of a flag. */
  words?: { parameter: string; description: string }
  /** What ndjson has one a line. */
  entries(answer: Answer): Answer[]
  /** An entry as a line of CSV, by column. */
  row(entry: Answer): Record<string, Cell>
  print(answer: Answer): string
  /** Told on stderr where there are no entries. */
  nothing: string
  examples: readonly string[]
}

type IndexOptions = WindowOptions & { format?: Format; json?: true }

export const indexCommand =
  (about: IndexCommand): AddCommand =>
  (program) => {
    const command = addSettings(program.command(about.name), ['data']).description(about.description)
    const { words, question } = about
    if (words !== undefined) command.argument('<words...>', words.description)
    addVenue(command, question)
    addParameters(
      command,
      namesOf(question).filter((name) => name !== words?.parameter),
      ownOf(question),
    )
      .addOption(
        new Option('--format <format>', 'output format (default: a table on a terminal, else JSON)').choices(FORMATS),
      )
      .option('--json', "the same as --format json: the server's answer, byte for byte")
      .action((...given: unknown[]) => {
        const text = words === undefined ? undefined : (given.shift() as string[]).join(' ')
        return run(about, text, given[0] as IndexOptions)
      })
    addExamples(command, about.examples)
  }

function addVenue(command: Command, question: IndexQuestion<string>): void {
  if (namesOf(question).includes('market')) addMarket(command)
  else if (question.isOfAllVenues === undefined) command.addOption(venueOption().makeOptionMandatory())
}

const { parameters: ANY_VENUE } = questionOf({ venue: 'polymarket', market: '' } as WindowOptions, [])
const ownOf = (question: IndexQuestion<string>) =>
  (question.parameters(ANY_VENUE).own ?? {}) as Record<string, Parameter>

function namesOf(question: IndexQuestion<string>): string[] {
  const { required, optional } = question.parameters(ANY_VENUE)
  return [...required, ...optional]
}

async function run(about: IndexCommand, text: string | undefined, options: IndexOptions): Promise<void> {
  const format = formatOf(options)
  await withStore(options, async (store) => {
    const answer = await inCommandWords(async () => {
      const { parameters, query } = givenTo(about, text, options)
      assertQuery(querySchema(parameters, about.question.parameters(parameters)) as unknown as TObject, query)
      const { make } = await about.question.read(store.catalogue, { parameters, query, nowMs: Date.now() })
      return (await make()) as Answer
    })
    process.stdout.write(printed(about, answer, format))
    if (about.entries(answer).length === 0) process.stderr.write(`${about.nothing}\n`)
  })
}

function givenTo({ question, words }: IndexCommand, text: string | undefined, options: IndexOptions) {
  const { isOfAllVenues = false } = question
  const given = questionOf(isOfAllVenues ? { ...options, venue: 'polymarket' } : options, namesOf(question))
  const { [given.parameters.idParameter]: market, ...others } = given.query as Record<string, string>
  const query: Record<string, string> =
    market === undefined ? others : { ...others, [given.parameters.idParameter]: market }
  if (words !== undefined && text !== undefined) query[words.parameter] = text
  if (isOfAllVenues) {
    delete query['venue']
    if (options.venue !== undefined) query['venue'] = options.venue
  }
  return { parameters: given.parameters, query }
}

function formatOf({ format, json }: IndexOptions): Format {
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(`--json and --format ${format} contradict each other: give one of them`, EXIT.usage)
  }
  return json ? 'json' : (format ?? (process.stdout.isTTY ? 'table' : 'json'))
}

function printed({ entries, row, print }: IndexCommand, answer: Answer, format: Format): string {
  if (format === 'table') return print(answer)
  if (format === 'json') return `${JSON.stringify(answer)}${process.stdout.isTTY ? '\n' : ''}`
  if (format === 'ndjson')
    return entries(answer)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('')
  const rows = entries(answer).map(row)
  const lines = rows.map((each) => Object.values(each).map(csvCell))
  return [...(rows.length === 0 ? [] : [Object.keys(rows[0]!)]), ...lines]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')
}

const csvCell = (cell: Cell): string => (typeof cell === 'string' ? quotedCsv(cell) : cell === null ? '' : String(cell))

/** Columns of entries as a table: `names` are the column of a row and its head. */
export function rowTable(rows: Record<string, Cell>[], names: readonly (readonly [string, string])[]): string {
  const cells = rows.map((row) => names.map(([column]) => printedCell(row[column] ?? null)))
  return rows.length === 0
    ? ''
    : table(
        names.map(([, head]) => head),
        cells,
      )
}

/** On one line. */
export const printedCell = (cell: Cell): string | null =>
  cell === null
    ? null
    : escapeControls(
        typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 6 }) : String(cell),
      )

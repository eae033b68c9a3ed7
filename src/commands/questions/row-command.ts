// A command that prints the rows of an endpoint. Its flags, answer and formats come from the question.

import { Option } from 'commander'
import { MOUNTS } from '../../http/parameters/venue-parameters.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { formatsOf } from '../../questions/format-parameters.ts'
import { ofMany } from '../../questions/many/many-books.ts'
import { declaredBy } from '../../questions/query-source.ts'
import type { RecordsQuestion } from '../../questions/question.ts'
import { addSettings } from '../settings.ts'
import { grouped } from '../terminal/numbers.ts'
import { toFile, toStdout, withOutput } from '../terminal/output.ts'
import { type AddCommand, addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import { addBooks, type BooksOptions, isAboutMany, questionOfMany } from './books-question.ts'
import { addMarket, addParameters, questionOf } from './market-question.ts'
import { commandFormats, rowFormatOf } from './output-format.ts'
import { askRows, type RowFormat } from './row-output.ts'
import { reportNothingStored, withStore } from './stored-data.ts'
import type { TerminalColumn } from './terminal-rows.ts'

export type RowCommand = {
  name: string
  question: RecordsQuestion<string>
  description: string
  /** The noun for the command's rows, in the plural. */
  unit: 'records' | 'buckets' | 'trades' | 'changes' | 'sizes'
  /** The columns that fit on a terminal; if omitted, all columns are printed. */
  terminal?: readonly TerminalColumn[]
  examples: readonly string[]
  /** True if the command accepts several books instead of one market. */
  isOfMany?: true
}

type RowOptions = BooksOptions & { format?: RowFormat; json?: true; output?: string; force?: true }

export const rowCommand =
  (about: RowCommand): AddCommand =>
  (program) => {
    const command = addSettings(program.command(about.name), ['data']).description(about.description)
    const { names, own } = parametersOf(about.question)
    const formats = formatsOf(about.question)
    const usual = formats.includes('csv') ? 'a table on a terminal, else CSV' : 'NDJSON'
    addParameters(about.isOfMany ? addBooks(command) : addMarket(command), names, own)
      .addOption(new Option('--format <format>', `output format (default: ${usual})`).choices(commandFormats(formats)))
      .option('--json', "the same as --format json: the server's answer, times in ms")
      .option(
        '-o, --output <file>',
        'file to write, - for stdout; its name says the format, .gz or .zst compresses it (default: -)',
      )
      .option('--force', 'replace the file if it exists')
      .action((options: RowOptions) => run(about, options))
    addExamples(command, about.examples)
  }

/** Returns the names of a question's parameters at all venues. `own` are the parameters that only this endpoint
 *  has. */
export function parametersOf(question: RecordsQuestion<string>) {
  const all = MOUNTS.map(({ parameters }) => declaredBy(question, parameters))
  const names = new Set(all.flatMap(({ required, optional }) => [...required, ...optional]))
  return { names: [...names], own: Object.assign({}, ...all.map(({ own }) => own)) }
}

async function run(about: RowCommand, { format, json, output: file, force, ...options }: RowOptions): Promise<void> {
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(`--json and --format ${format} contradict each other: give one of them`, EXIT.usage)
  }
  const path = file === '-' ? undefined : file
  const chosen = rowFormatOf(json ? 'json' : format, path, formatsOf(about.question))
  const { question, unit, terminal: columns } = about
  await withStore(options, async (store) => {
    const { names } = parametersOf(question)
    const isOfMany = about.isOfMany === true && isAboutMany(options)
    const given = isOfMany ? questionOfMany(options, names) : questionOf(options, names)
    const rows = await askRows(store, isOfMany ? ofMany(question) : question, given, {
      format: chosen,
      ...(columns && { terminal: columns }),
    })
    const output = path === undefined ? toStdout() : await toFile(path, force === true)
    const count = await withOutput(output, rows.write)
    if (path !== undefined) terminal().stderr.write(`${count === null ? 'the' : grouped(count)} ${unit} in ${path}\n`)
    if (chosen !== 'json') for (const each of rows.missing) terminal().stderr.write(`${escapeControls(each)}\n`)
    if (rows.next !== null) terminal().stderr.write(`there are more ${unit}: continue with ${rows.next}\n`)
    if (chosen === 'json' && path === undefined) terminal().stdout.write('\n')
    const isStored = (count ?? 0) > 0 || (await rows.stored())
    if (!isStored || (count === 0 && chosen !== 'json')) reportNothingStored(unit, given, isStored)
  })
}

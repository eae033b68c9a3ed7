// A command that prints an answer from the catalogue's index: its flags, its answer, and all its formats. Most such
// commands ask an endpoint's question (index-question.ts).

import type { Command } from 'commander'
import type { OpenStore } from '../../../storage/open-store.ts'
import { withStore } from '../questions/stored-data.ts'
import { addSettings, type CommandOptions } from '../settings.ts'
import { type AddCommand, addExamples, CommandError, EXIT } from '../terminal/program.ts'
import { terminal } from '../terminal/terminal.ts'
import {
  type Answer,
  entriesOf,
  type FormatOptions,
  formatOf,
  formatOption,
  type Listing,
  printed,
} from './index-output.ts'

/** The source of the command's answer. */
export type Source<Options> = {
  addFlags(command: Command): Command
  /** `words` are the positional arguments. Rejects with CommandError. */
  read(store: OpenStore, options: Options, words: string[]): Promise<Answer>
}

export type IndexCommand<Options> = Listing &
  Source<Options> & {
    name: string
    description: string
    /** Printed on stderr if there are no entries. */
    nothing?: string
    /** The error if there are no entries. */
    notStored?: string
    /** Returns a note to print on stderr after the answer. Throws CommandError for a failure. */
    note?(answer: Answer, options: Options, store: OpenStore): string | undefined | Promise<undefined>
    examples: readonly string[]
  }

export const indexCommand =
  <Options extends CommandOptions>(about: IndexCommand<Options>): AddCommand =>
  (program) => {
    const { name, description, examples } = about
    const command = addSettings(program.command(name), ['data']).description(description)
    about
      .addFlags(command)
      .addOption(formatOption())
      .option('--json', "the same as --format json: the server's answer")
      .action(async (...given: unknown[]) => {
        const words = command.registeredArguments.length === 0 ? [] : (given.shift() as string[])
        const options = given[0] as Options & FormatOptions
        const format = formatOf(options)
        await withStore(options, async (store) => {
          const answer = await about.read(store, options, words)
          terminal().stdout.write(printed(about, answer, format))
          const isEmpty = entriesOf(about, answer).length === 0
          const note = (await about.note?.(answer, options, store)) ?? (isEmpty ? about.nothing : undefined)
          if (note !== undefined) terminal().stderr.write(`${note}\n`)
          if (isEmpty && about.notStored !== undefined) throw new CommandError(about.notStored, EXIT.notStored)
        })
      })
    addExamples(command, examples)
  }

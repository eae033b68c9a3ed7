// The command line: what the subcommands share. A line that cannot be understood ends with 2, a failure with 1.

import { Command, CommanderError } from 'commander'
import { VERSION_LINE } from '../version.ts'

/** A command that cannot do what it was asked, in one line for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  /** 2: the command line or the configuration is wrong. 1: the work failed. */
  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Each command file exports a function of this type. */
export type AddCommand = (program: Command) => void

export function createProgram(commands: readonly AddCommand[]): Command {
  const program = new Command('backbook')
    .description('Self-hosted server for the order-book history of prediction markets')
    .version(VERSION_LINE)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
  for (const addCommand of commands) addCommand(program)
  return program
}

/** What commander tells of a mistake, with its guess at what was meant, as this program tells everything else. The help
 *  that it shows where a subcommand is missing stays as it is. */
function oneLine(text: string): string {
  if (!text.startsWith('error: ')) return text
  const told = text.slice('error: '.length).trim().replaceAll('\n', ' ').replace(/\.$/, '')
  return `backbook: ${told}; --help shows what is accepted\n`
}

/** Returns the exit code. Commander has already told what it did not understand. */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Error)) throw error
    process.stderr.write(`backbook: ${error.message}\n`)
    return error instanceof CommandError ? error.exitCode : 1
  }
}

// The command line: what the subcommands share. A line that cannot be understood ends with 2, a failure with 1.

import { Command, CommanderError } from 'commander'
import { DataError } from '../../../storage/failures.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { VERSION_LINE } from '../../version.ts'

/** How the program ends, and what its callers may rely on: told in --help and in docs/running.md. */
export const EXIT = { done: 0, failed: 1, usage: 2, notStored: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
export const EXIT_MEANINGS: Record<ExitCode, string> = {
  0: 'done',
  1: 'the work failed, or something is damaged',
  2: 'the command line or the configuration cannot be used',
  3: 'nothing is stored of what was asked for',
}

export const SEE_VERIFY = 'the command verify tells where'

/** A command that cannot do what it was asked, in one line for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode) {
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
  const meanings = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `  ${code}  ${meaning}\n`)
  return program.addHelpText('after', `\nExit codes:\n${meanings.join('')}`)
}

/** Lines to try, under a command's help. */
export function addExamples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`)
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
    const isDamage = error instanceof DataError && error.code === 'block_corrupt'
    const message = error.message.split('\n').map(escapeControls).join('\n')
    process.stderr.write(`backbook: ${message}${isDamage ? `: ${SEE_VERIFY}` : ''}\n`)
    return error instanceof CommandError ? error.exitCode : 1
  }
}

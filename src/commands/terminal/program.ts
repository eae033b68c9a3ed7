// Shared by all subcommands: the program, its exit codes, and how errors are printed.

import { Command, CommanderError } from 'commander'
import { DataError } from '../../../storage/failures.ts'
import { CommandError, EXIT, type ExitCode } from '../../command-error.ts'
import { escapeControls } from '../../observe/log/escape-controls.ts'
import { VERSION_LINE } from '../../version.ts'
import { terminal } from './terminal.ts'

export { CommandError, EXIT }

export const EXIT_MEANINGS: Record<ExitCode, string> = {
  0: 'done',
  1: 'the work failed, or something is damaged',
  2: 'the command line or the configuration is wrong',
  3: 'nothing is stored for this question',
}

export const SEE_VERIFY = 'run verify to see where'

/** Each command file exports a function of this type. */
export type AddCommand = (program: Command) => void

export function createProgram(commands: readonly AddCommand[]): Command {
  const program = new Command('backbook')
    .description('Server for the order-book history of prediction markets')
    .version(VERSION_LINE)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal().stdout.write(text),
      writeErr: (text) => void terminal().stderr.write(text),
      outputError: (text, write) => write(oneLine(text)),
    })
  for (const addCommand of commands) addCommand(program)
  const meanings = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `  ${code}  ${meaning}\n`)
  return program.addHelpText('after', `\nExit codes:\n${meanings.join('')}`)
}

/** Adds examples to a command's help. */
export function addExamples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

const WRONG_FLAG = /^option '(?:-\w, )?(?<name>--[\w-]+)[^']*' argument '(?<got>.*)' is invalid\. (?<why>.*)$/
const WRONG_ARGUMENT = /^command-argument value '(?<got>.*)' is invalid for argument '(?<name>\w+)'\. (?<why>.*)$/

/** Converts an error message of commander, with its suggestion, to the form of all other errors. Leaves the help that
 *  commander prints for a missing subcommand unchanged. */
function oneLine(text: string): string {
  if (!text.startsWith('error: ')) return text
  const message = text.slice('error: '.length).trim().replaceAll('\n', ' ').replace(/\.$/, '')
  const { name, got, why } = (WRONG_FLAG.exec(message) ?? WRONG_ARGUMENT.exec(message))?.groups ?? {}
  if (name === undefined || why === undefined) return `backbook: ${message}; see --help\n`
  return `backbook: ${name} ${why.replace(/^Allowed choices are/, 'must be one of')}, got ${JSON.stringify(got)}\n`
}

/** Returns the exit code. Commander prints its own errors. */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Error)) throw error
    const isDamage = error instanceof DataError && error.code === 'block_corrupt'
    const message = error.message.split('\n').map(escapeControls).join('\n')
    terminal().stderr.write(`backbook: ${message}${isDamage ? `: ${SEE_VERIFY}` : ''}\n`)
    return error instanceof CommandError ? error.exitCode : 1
  }
}

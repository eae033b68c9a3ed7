// `completion`: prints the script with which a shell completes command lines of this program.

import { Argument, type Command } from 'commander'
import { addExamples } from './program.ts'
import { bashCompletion, zshCompletion } from './shell-completion.ts'
import { terminal } from './terminal.ts'

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion }

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => void terminal().stdout.write(SCRIPTS[shell](program)))
  addExamples(command, [
    'source <(backbook completion bash)                                  # in ~/.bashrc',
    'source <(backbook completion zsh)                                   # in ~/.zshrc, after compinit',
  ])
}

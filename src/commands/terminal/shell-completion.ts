// Generates completion scripts for shells from the commands. A script holds all words (commands, flags, choices, and
// where a file is expected), so completing does not start the program.

import type { Command, Option } from 'commander'

type Entry = {
  path: string[]
  words: string[]
  flags: readonly Option[]
  takesFiles: boolean
}

/** Names that the help uses for paths. */
const FILE_NAMES = /^(?:file|folder|capture)/

/** Returns every command with the names of its parents, the program itself first. */
function entriesOf(command: Command, path: string[] = []): Entry[] {
  const help = command.createHelp()
  const below = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  const choices = command.registeredArguments.flatMap((each) => each.argChoices ?? [])
  const words = [...below.map((each) => each.name()), ...choices]
  const takesFiles = command.registeredArguments.some((each) => FILE_NAMES.test(each.name()))
  const entry = { path, words, flags: help.visibleOptions(command), takesFiles }
  return [entry, ...below.flatMap((each) => entriesOf(each, [...path, each.name()]))]
}

const namesOf = (flag: Option) => [flag.short, flag.long].filter((name) => name != null)
const takesValue = (flag: Option) => flag.required || flag.optional
const takesFile = (flag: Option) => takesValue(flag) && FILE_NAMES.test(flag.flags.split('<').at(-1) ?? '')

/** Returns the choices of each flag, collected from all commands. */
function choicesOf(entries: Entry[]): Map<string, readonly string[]> {
  const choices = new Map<string, readonly string[]>()
  for (const flag of entries.flatMap(({ flags }) => flags)) {
    for (const name of flag.argChoices === undefined ? [] : namesOf(flag)) {
      choices.set(name, [...new Set([...(choices.get(name) ?? []), ...flag.argChoices!])])
    }
  }
  return choices
}

export function bashCompletion(program: Command): string {
  const entries = entriesOf(program)
  const flags = entries.flatMap((entry) => entry.flags)
  const choices = choicesOf(entries)
  const files = [...new Set(flags.filter(takesFile).flatMap(namesOf))]
  const texts = [...new Set(flags.filter(takesValue).flatMap(namesOf))].filter(
    (name) => !choices.has(name) && !files.includes(name),
  )
  const words = entries.map(({ path, words, flags }) => {
    const all = [...words, ...flags.flatMap(namesOf)]
    return `    '${path.join(' ')}') offered='${all.join(' ')}' ;;`
  })
  const paths = entries.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`)
  const withFiles = entries.filter(({ takesFiles }) => takesFiles).map(({ path }) => `'${path.join(' ')}'`)
  const choiceCases = [...choices].map(([name, each]) => {
    return `    ${name}) COMPREPLY=($(compgen -W '${each.join(' ')}' -- "$word")); return ;;`
  })
  return `# Completion of ${program.name()} for bash.
_${program.name()}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" inside='' next at offered=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    next="\${inside:+$inside }\${COMP_WORDS[at]}"
    case "$next" in
    ${paths.join('|')}) inside="$next" ;;
    esac
  done
  case "$before" in
${choiceCases.join('\n')}
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${texts.join('|')}) COMPREPLY=(); return ;;
  esac
  case "$inside" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
  case "$inside" in
    ${withFiles.join('|')}) if [[ $word != -* ]]; then COMPREPLY+=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o filenames -F _${program.name()} ${program.name()}
`
}

/** zsh can run a bash completion that avoids zsh's own variable names, such as `path` and `words`. */
export const zshCompletion = (program: Command): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bashCompletion(program)}`

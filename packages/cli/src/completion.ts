import type { Command, Option } from 'commander'
import type { CliDeps } from './cli-deps.ts'
import { usageError } from './exit-codes.ts'

const hiddenCommand = 'complete-words'

/** The shells call the program for the words that can follow, so new commands need no new script. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_plimsoll() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(plimsoll ${hiddenCommand} -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _plimsoll plimsoll
`,
  zsh: `#compdef plimsoll
_plimsoll() {
  local -a found
  found=(\${(f)"$(plimsoll ${hiddenCommand} -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _plimsoll plimsoll
`,
  fish: `function __plimsoll_words
  set -l words (commandline -opc)
  plimsoll ${hiddenCommand} -- $words[2..] 2>/dev/null
end
complete -c plimsoll -a '(__plimsoll_words)'
`,
}

export function addCompletion(program: Command, deps: CliDeps): void {
  program
    .command('completion <shell>')
    .summary('Print the completion script for bash, zsh or fish')
    .description(
      'Prints the completion script for bash, zsh or fish. For bash, add to your profile: source <(plimsoll completion bash)',
    )
    .action((shell: string) => {
      const script = scripts[shell]
      if (script === undefined) throw usageError(`There is no completion for "${shell}". Use bash, zsh or fish.`)
      deps.print(script)
    })
  program.command(`${hiddenCommand} [words...]`, { hidden: true }).action((words: string[]) => {
    deps.print(
      wordsAfter(program, words)
        .map((word) => `${word}\n`)
        .join(''),
    )
  })
}

/** The words that can follow the given ones: subcommands and options, or the values of an option. */
export function wordsAfter(program: Command, words: readonly string[]): string[] {
  let command = program
  let pending: Option | undefined
  for (const word of words) {
    const isValue = pending !== undefined
    pending = undefined
    if (isValue) continue
    if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(({ long, short }) => long === word || short === word)
      pending = option && (option.required || option.optional) ? option : undefined
    } else command = command.commands.find((each) => each.name() === word) ?? command
  }
  if (pending) return pending.argChoices ?? []
  const isVisible = (each: Command) => each.name() !== hiddenCommand
  const options = [...command.options, ...program.options].flatMap(({ long }) => long ?? [])
  return [...command.commands.filter(isVisible).map((each) => each.name()), ...new Set(options)]
}

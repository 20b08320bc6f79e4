import type { ManifestResult } from '@plimsoll/contract'
import { number } from './quantity.ts'

type Rendered = Pick<ManifestResult, 'files' | 'commands' | 'node_removals'>

/** What a person does after an approval, and what exists for it. */
export type Runnable = {
  /** Empty: nothing to run. */
  readonly next: string
  readonly hasManifest: boolean
  /** A shell script; null: no commands. */
  readonly script: string | null
}

export function runnableOf({ files, commands, node_removals: removals }: Rendered): Runnable {
  const hasManifest = files.length > 0
  const next = [
    hasManifest ? 'commit the manifest to Git' : '',
    commands.length > 0 ? 'run the commands' : '',
    removals.length > 0 ? 'remove the nodes after the rollout' : '',
  ].filter((part) => part !== '')
  const parts = [
    ...(commands.length > 0 ? [scriptOf(commands)] : []),
    ...(removals.length > 0 ? [`${comment(afterRollout)}\n\n${scriptOf(removals)}`] : []),
  ]
  return {
    next: next.length === 0 ? '' : `Next, ${list(next)}.`,
    hasManifest,
    script: parts.length === 0 ? null : parts.join('\n\n'),
  }
}

const afterRollout = 'Remove the nodes only after the changes of this step are rolled out.'

/** `a`, `a and b`, or `a, b and c`. */
const list = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** Says so if the step has more open changes than the copied commands cover. */
export const copiedWords = (covered: number, of: number): string =>
  covered < of
    ? `Copied the commands of the first ${number(covered)} of ${number(of)} changes. Run them first. After the next analysis, copy the remaining commands.`
    : 'Commands copied. Run one step at a time.'

/** The commands with their titles and notes as comments. */
export const scriptOf = (commands: Rendered['commands'] | Rendered['node_removals']): string =>
  [
    comment('Run one step at a time. Read the note of a step before you run it. Stop if a command fails.'),
    ...commands
      .flatMap(({ steps }) => steps)
      .map(({ title, commands: lines, note }) =>
        [comment(title), ...(note === '' ? [] : [comment(note)]), ...lines].join('\n'),
      ),
  ].join('\n\n')

/** One line, so that a note cannot become a command. */
const comment = (text: string) => `# ${text.replaceAll(/\s+/g, ' ')}`

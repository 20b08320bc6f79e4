import type { ManifestResult } from '@plimsoll/contract'
import { number } from './quantity.ts'

type Rendered = Pick<ManifestResult, 'files' | 'commands'>

/** What a person does after an approval, and what exists for it. */
export type Runnable = {
  /** Empty: nothing to run. */
  readonly next: string
  readonly hasManifest: boolean
  /** A shell script; null: no commands. */
  readonly script: string | null
}

export function runnableOf({ files, commands }: Rendered): Runnable {
  const hasManifest = files.length > 0
  const script = commands.length === 0 ? null : scriptOf(commands)
  const next = [hasManifest ? 'commit the manifest to Git' : '', script === null ? '' : 'run the commands']
    .filter((part) => part !== '')
    .join(' and ')
  return { next: next === '' ? '' : `Next, ${next}.`, hasManifest, script }
}

/** Says so if the step has more open changes than the copied commands cover. */
export const copiedWords = (covered: number, of: number): string =>
  covered < of
    ? `Copied the commands of the first ${number(covered)} of ${number(of)} changes. Apply them, then copy the rest after the next analysis.`
    : 'Commands copied. Run one step at a time.'

/** The commands with their titles and notes as comments. */
export const scriptOf = (commands: ManifestResult['commands']): string =>
  [
    comment('Run one step at a time. Read the note of each step first. Stop if a command fails.'),
    ...commands
      .flatMap(({ steps }) => steps)
      .map(({ title, commands: lines, note }) =>
        [comment(title), ...(note === '' ? [] : [comment(note)]), ...lines].join('\n'),
      ),
  ].join('\n\n')

/** One line, so that a note cannot become a command. */
const comment = (text: string) => `# ${text.replaceAll(/\s+/g, ' ')}`

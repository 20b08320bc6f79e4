import type { ManifestResult } from '@plimsoll/contract'
import { markdownCell } from '@plimsoll/engine/manifests'

const ways =
  'Use the command that matches how you deploy each workload: files in a checkout, Argo CD, Flux or the cluster. A check against the cluster prints yes after the rollout.'

type CommandStep = ManifestResult['commands'][number]['steps'][number]

type Step = { description: string; command: string; lines?: string | null }

/**
 * Instructions for a person who unpacks the archive: commands, checks, warnings and skipped recommendations.
 * The file is outside the directory, so that tools that read manifests do not find it.
 */
export function writeNotes({ apply, verify, warnings, skipped, commands, node_removals: removals }: ManifestResult): {
  path: string
  content: string
} {
  const lines = [
    '# How to apply these changes',
    '',
    'You do not need to commit this file. Run the commands in the directory that contains it.',
    ways,
    ...section(
      'Read before you commit',
      warnings.map(({ message }) => `- ${markdownCell(message)}`),
    ),
    ...section(
      'Skipped recommendations',
      skipped.map(({ recommendation_id: id, message }) => `- ${markdownCell(`${id}: ${message}`)}`),
    ),
    ...section('Changes to make with commands', commands.flatMap(({ steps }) => steps).flatMap(commandLines)),
    ...section('Apply', apply.flatMap(stepLines)),
    ...section('Check', verify.flatMap(stepLines)),
    ...section('Remove the nodes after the rollout', removals.flatMap(({ steps }) => steps).flatMap(commandLines)),
  ]
  return { path: 'plimsoll.md', content: `${lines.join('\n')}\n` }
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]

const stepLines = ({ description, command, lines = null }: Step, index: number) => [
  ...(index === 0 ? [] : ['']),
  markdownCell(description),
  ...(lines === null ? [] : ['', ...fenced('yaml', lines)]),
  ...(command === '' ? [] : ['', ...fenced('sh', command)]),
]

const commandLines = ({ title, commands, note }: CommandStep, index: number) => [
  ...(index === 0 ? [] : ['']),
  markdownCell(`${title}. ${note}`.trim()),
  ...(commands.length === 0 ? [] : ['', ...fenced('sh', commands.join('\n'))]),
]

/** Longer than any row of backticks inside, so that the content cannot end the block. */
function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((row) => row.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, text.trimEnd(), fence]
}

import type { ManifestResult } from '@plimsoll/contract'
import { markdownCell } from '@plimsoll/engine/manifests'

const ways =
  'Take the way that fits how each of them is rolled out: files in a checkout, Argo CD or Flux, or the cluster itself. What asks the cluster prints yes once it is rolled out.'

type Step = { description: string; command: string; lines?: string | null }

/**
 * What to do with the files, for whoever unpacks an archive and sees no answer beside it: commands, checks, warnings, and what is
 * in no file. It lies beside the directory, where nothing that reads manifests finds it.
 */
export function writeNotes({ apply, verify, warnings, skipped }: ManifestResult): { path: string; content: string } {
  const lines = [
    '# What to do with the directory plimsoll',
    '',
    'For whoever commits it; this file itself need not be. Commands are run where it lies.',
    ways,
    ...section(
      'Read before you commit',
      warnings.map(({ message }) => `- ${markdownCell(message)}`),
    ),
    ...section(
      'In no file',
      skipped.map(({ recommendation_id: id, message }) => `- ${markdownCell(`${id}: ${message}`)}`),
    ),
    ...section('Apply', apply.flatMap(stepLines)),
    ...section('Check', verify.flatMap(stepLines)),
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

/** Longer than any row of backticks inside: what is shown cannot end it. */
function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((row) => row.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, text.trimEnd(), fence]
}

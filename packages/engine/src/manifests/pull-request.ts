import type { ObjectPatch } from './object-patch.ts'
import { markdownCell } from './safe-text.ts'
import { shortHash } from './short-hash.ts'
import type { ManifestFormat, Skip, Warning } from './skips.ts'

/** What a reviewer wants to know about one recommendation. */
export type ReviewFacts = {
  readonly id: string
  readonly title: string
  readonly ruleId: string
  readonly from: string
  readonly to: string
  readonly usdPerMonth: number
  readonly risk: string
  readonly confidence: string
  /** What it rests on, in a few words; empty where nothing was measured. */
  readonly evidence: string
}

export type PullRequest = { readonly title: string; readonly body: string; readonly branch: string }

export function writePullRequest(
  format: ManifestFormat,
  patches: readonly ObjectPatch[],
  facts: readonly ReviewFacts[],
  { skipped, warnings }: { skipped: readonly Skip[]; warnings: readonly Warning[] },
): PullRequest {
  const patchOf = new Map(patches.flatMap((patch) => patch.recommendationIds.map((id) => [id, patch])))
  const shown = facts.filter(({ id }) => patchOf.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  const total = shown.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0)
  const body = [
    `Estimated saving: **${usd(total)} a month**, before what several changes have in common.`,
    '',
    '| what | workload | from | to | a month | risk | confidence | rests on |',
    '| --- | --- | --- | --- | ---: | --- | --- | --- |',
    ...shown.map((each) => row(each, patchOf.get(each.id))),
    ...section(
      'Good to know',
      warnings.map(({ message }) => message),
    ),
    ...section(
      'Not part of this change',
      skipped.map(({ recommendationId, message }) => `${recommendationId}: ${message}`),
    ),
    '',
    'Plimsoll checks afterwards whether the change has arrived and what it saves.',
    '',
  ]
  return { title: titleOf(patches, total), body: body.join('\n'), branch: branchOf(format, [...patchOf.keys()].sort()) }
}

const branchOf = (format: ManifestFormat, ids: readonly string[]) => `plimsoll/${format}-${shortHash(ids.join('\n'))}`

function titleOf(patches: readonly ObjectPatch[], total: number): string {
  if (patches.length === 0) return 'Nothing to change'
  const names = [...new Set(patches.map(({ target }) => target.name))]
  const listed = names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  return total > 0 ? `Right-size ${listed} (about ${usd(total)} a month)` : `Right-size ${listed}`
}

function row(facts: ReviewFacts, patch: ObjectPatch | undefined): string {
  const workload = patch
    ? `${patch.clusterName} / ${patch.target.namespace} / ${patch.target.kind} ${patch.target.name}`
    : ''
  const cells = [
    facts.title,
    workload,
    facts.from,
    facts.to,
    usd(facts.usdPerMonth),
    facts.risk,
    facts.confidence,
    facts.evidence,
  ]
  return `| ${cells.map(markdownCell).join(' | ')} |`
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines.map((line) => `- ${markdownCell(line)}`)]

const usd = (value: number) => `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`

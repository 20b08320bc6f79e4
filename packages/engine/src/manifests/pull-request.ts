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
  readonly estimatedUsdPerMonth: number
  /** What leaves the bill when nodes go; null: not computed. */
  readonly bankableUsdPerMonth: number | null
  readonly risk: string
  readonly confidence: string
  /** What the past would have been like with it; empty where it was not replayed. */
  readonly backtest: string
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
  const body = [
    ...promiseOf(shown),
    '',
    '| what | workload | from | to | bankable | estimated | risk | confidence | back-test | rests on |',
    '| --- | --- | --- | --- | ---: | ---: | --- | --- | --- | --- |',
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
  return { title: titleOf(patches, shown), body: body.join('\n'), branch: branchOf(format, [...patchOf.keys()].sort()) }
}

const branchOf = (format: ManifestFormat, ids: readonly string[]) => `plimsoll/${format}-${shortHash(ids.join('\n'))}`

const bankable = (shown: readonly ReviewFacts[]) =>
  shown.reduce((sum, { bankableUsdPerMonth }) => sum + (bankableUsdPerMonth ?? 0), 0)

/** Smaller requests free room; only nodes that go leave the bill. The two are never added up or mixed. */
function promiseOf(shown: readonly ReviewFacts[]): string[] {
  const estimated = shown.reduce((sum, { estimatedUsdPerMonth }) => sum + estimatedUsdPerMonth, 0)
  const unknown = shown.filter(({ bankableUsdPerMonth }) => bankableUsdPerMonth === null).length
  return [
    `Bankable: **${usd(bankable(shown))} a month**, the share of these changes in what leaves the bill when all open recommendations are followed.${unknown === 0 ? '' : ` Not computed for ${unknown} of ${shown.length}.`}`,
    '',
    `Estimated: ${usd(estimated)} a month of capacity that is no longer asked for; what several changes say about one thing is counted once. It becomes money only where nodes can go.`,
  ]
}

/** Promises nothing but what can be banked. */
function titleOf(patches: readonly ObjectPatch[], shown: readonly ReviewFacts[]): string {
  const names = [...new Set(patches.map(({ target }) => target.name))]
  const listed = names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  const verb = patches.some(({ containers }) => containers.length > 0) ? 'Right-size' : 'Change'
  const total = bankable(shown)
  return total >= 0.005 ? `${verb} ${listed} (${usd(total)} a month bankable)` : `${verb} ${listed}`
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
    facts.bankableUsdPerMonth === null ? 'not computed' : usd(facts.bankableUsdPerMonth),
    usd(facts.estimatedUsdPerMonth),
    facts.risk,
    facts.confidence,
    facts.backtest,
    facts.evidence,
  ]
  return `| ${cells.map((cell) => markdownCell(cell) || '–').join(' | ')} |`
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines.map((line) => `- ${markdownCell(line)}`)]

const usd = (value: number) => `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`

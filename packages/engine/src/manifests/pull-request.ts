import { groupedCents } from '../count.ts'
import { groupBy } from '../group-by.ts'
import type { ObjectPatch } from './object-patch.ts'
import { markdownCell } from './safe-text.ts'
import { shortHash } from './short-hash.ts'
import type { Skip, Warning } from './skips.ts'
import type { ManifestFormat } from '../vocabulary/manifest-formats.ts'

/** The facts about one recommendation for a reviewer. */
export type ReviewFacts = {
  readonly id: string
  readonly title: string
  /** Namespace and name of the workload; empty for other objects. */
  readonly workload: string
  readonly ruleId: string
  readonly from: string
  readonly to: string
  readonly estimatedUsdPerMonth: number
  /** Savings on the bill once nodes are removed; null: not computed. */
  readonly bankableUsdPerMonth: number | null
  readonly risk: string
  readonly confidence: string
  /** Result of the replay over past usage; empty without a replay. */
  readonly backtest: string
  /** Short evidence; empty without measurements. */
  readonly evidence: string
}

export type PullRequest = { readonly title: string; readonly body: string; readonly branch: string }

export function writePullRequest(
  format: ManifestFormat,
  patches: readonly ObjectPatch[],
  facts: readonly ReviewFacts[],
  { skipped, warnings }: { skipped: readonly Skip[]; warnings: readonly Warning[] },
): PullRequest {
  const kept = new Set(patches.flatMap(({ recommendationIds }) => recommendationIds))
  const shown = facts.filter(({ id }) => kept.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  const body = [
    ...promiseOf(shown),
    '',
    ...tableOf(shown),
    ...section(
      'Before you merge',
      warnings.map(({ message }) => message),
    ),
    ...section('Skipped', leftOut(skipped, facts)),
    '',
    'Plimsoll verifies the change after the rollout and measures the realized savings.',
    '',
  ]
  return { title: titleOf(patches, shown), body: body.join('\n'), branch: branchOf(format, [...kept].sort()) }
}

const branchOf = (format: ManifestFormat, ids: readonly string[]) => `plimsoll/${format}-${shortHash(ids.join('\n'))}`

const bankable = (shown: readonly ReviewFacts[]) =>
  shown.reduce((sum, { bankableUsdPerMonth }) => sum + (bankableUsdPerMonth ?? 0), 0)

const estimated = (shown: readonly ReviewFacts[]) =>
  shown.reduce((sum, { estimatedUsdPerMonth }) => sum + estimatedUsdPerMonth, 0)

/** Smaller requests free capacity; only removed nodes lower the bill. The two figures are never added. */
function promiseOf(shown: readonly ReviewFacts[]): string[] {
  const unknown = shown.filter(({ bankableUsdPerMonth }) => bankableUsdPerMonth === null).length
  return [
    `Bankable savings: **${usd(bankable(shown))}/month**, when their plan steps are applied and the nodes are removed.${unknown === 0 ? '' : ` Not computed for ${unknown} of ${shown.length}.`}`,
    '',
    `Estimated savings: ${usd(estimated(shown))}/month of freed requests at node prices. Overlapping savings count once. The bill drops only when nodes are removed.`,
  ]
}

/**
 * The title quotes the estimate, and what the bill needs. Bankable savings depend on other open recommendations, so only the
 * body quotes them, with that condition.
 */
function titleOf(patches: readonly ObjectPatch[], shown: readonly ReviewFacts[]): string {
  const names = [...new Set(patches.map(({ target }) => target.name))]
  const listed = names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  const verb = patches.some(({ containers }) => containers.length > 0) ? 'Right-size' : 'Change'
  const total = estimated(shown)
  if (total < 0.005) return `${verb} ${listed}`
  const condition = patches.every(isBilledAlone) ? '' : ', the bill drops only when nodes are removed'
  return `${verb} ${listed} (estimated ${usd(total)}/month${condition})`
}

/** A load balancer and a volume have their own line on the bill; everything else runs on nodes. */
const isBilledAlone = ({ target: { kind } }: ObjectPatch) => kind === 'Service' || kind === 'PersistentVolumeClaim'

function tableOf(shown: readonly ReviewFacts[]): string[] {
  const { lines, cutCount } = fit(shown.map(row), charsMax.table)
  return [
    '| Recommendation | Workload | From | To | Bankable/month | Estimated/month | Risk | Confidence | Back-test | Evidence |',
    '| --- | --- | --- | --- | ---: | ---: | --- | --- | --- | --- |',
    ...lines,
    ...(cutCount === 0 ? [] : ['', `${cutCount} of ${shown.length} changes are not in this table ${whyCut}.`]),
  ]
}

function row(facts: ReviewFacts): string {
  const cells = [
    facts.title,
    facts.workload,
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

const namesMax = 10

/** Groups skipped recommendations by reason. */
function leftOut(skipped: readonly Skip[], facts: readonly ReviewFacts[]): string[] {
  const factsOf = new Map(facts.map((each) => [each.id, each]))
  const nameOf = ({ recommendationId: id }: Skip) => {
    const { title = id, workload = '' } = factsOf.get(id) ?? {}
    return workload === '' ? title : `${title} (${workload})`
  }
  return [...groupBy(skipped, ({ message }) => message)].map(([message, same]) => {
    const more = same.length > namesMax ? ` and ${same.length - namesMax} more` : ''
    return `${same.slice(0, namesMax).map(nameOf).join('; ')}${more}: ${message}`
  })
}

function section(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return []
  const all = texts.map((text) => `- ${markdownCell(text)}`)
  const { lines, cutCount } = fit(all, charsMax.section)
  const rest = cutCount === 0 ? [] : [`- ${cutCount} of ${texts.length} are not listed ${whyCut}.`]
  return ['', `### ${title}`, '', ...lines, ...rest]
}

/** Git hosts accept about 65,000 characters. Each part has its own limit, so that no part crowds out the others. */
const charsMax = { table: 36_000, section: 10_000 }

const whyCut = 'because a pull request has a size limit'

function fit(all: readonly string[], charsMax: number): { lines: string[]; cutCount: number } {
  let chars = 0
  const lines = all.filter((line) => (chars += line.length + 1) <= charsMax)
  return { lines, cutCount: all.length - lines.length }
}

const usd = (value: number) => `${value < 0 ? '-' : ''}$${groupedCents(value)}`

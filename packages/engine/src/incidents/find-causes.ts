import { compare } from '../apportion.ts'
import { readEffectKey, type EffectSums } from '../changes/effect-key.ts'
import { divideRounded, type Decimal } from '../decimal.ts'
import {
  clustersOf,
  depthOf,
  partsAbove,
  partsBelow,
  partsBelowOf,
  topmost,
  type PartLevel,
  type PartTree,
} from './part-tree.ts'
import type { PartScore } from './score.ts'
import type { EffectKind } from '../vocabulary/changes.ts'

export type Scores = ReadonlyMap<string, PartScore>

/** The split of the cost difference of each part, as `changes` makes it. Parts without a split are missing. */
export type Splits = ReadonlyMap<string, EffectSums>

/** `detail` is the node class of a price, and the resource of a request. */
export type CauseName = { readonly kind: EffectKind | 'unknown'; readonly detail: string }

/** What a price adds to each part. Parts with less than 1 % are missing. */
export type PriceShares = ReadonlyMap<string, Decimal>

export type Cause = CauseName & {
  /** Of a price. */
  readonly shares?: PriceShares
  readonly part: string
  readonly excess: Decimal
  /** The part costs more and its cluster does not, because the part took idle capacity. */
  readonly isShift: boolean
}

export type Situation = {
  readonly tree: PartTree
  readonly scores: Scores
  readonly splits: Splits
  readonly threshold: Decimal
}

/** The excess of each part that no incident explains yet. */
export type Unexplained = Map<string, Decimal>

export const allExcess = (scores: Scores): Unexplained => new Map([...scores].map(([key, { excess }]) => [key, excess]))

/** At least 60 % of the whole. */
export const explains = (part: Decimal, whole: Decimal): boolean => part * 10n >= whole * 6n

/** The causes of all excess over the threshold. Each takes the excess that it explains from `unexplained`. */
export function findCauses(situation: Situation, unexplained: Unexplained): Cause[] {
  const causes = priceCauses(situation, unexplained)
  for (;;) {
    const part = lowestPlace(situation, unexplained)
    if (part === undefined) return causes
    const excess = unexplained.get(part) ?? 0n
    causes.push({ part, excess, isShift: isShift(situation, part, excess), ...causeName(situation.splits.get(part)) })
    explainPart(situation.tree, unexplained, part)
  }
}

/** A price of one node class that explains most of a cluster is one cause, for any number of parts. */
function priceCauses(situation: Situation, unexplained: Unexplained): Cause[] {
  const { tree, splits } = situation
  const overOf = (level: PartLevel) =>
    partsOver(situation, unexplained).filter((key) => tree.parts.get(key)?.level === level)
  const ofClusters = overOf('cluster').flatMap((part) => {
    const excess = unexplained.get(part) ?? 0n
    const [detail, usd] = largest(priceByClass(splits.get(part)))
    if (detail === undefined || !explains(usd, excess)) return []
    const shares = explainPrice(situation, unexplained, part, detail)
    return [{ part, excess, kind: 'price' as const, detail, isShift: false, shares: largeShares(shares, part) }]
  })
  const explained = new Set(ofClusters.map(({ part, detail }) => `${part} ${detail}`))
  return [
    ...ofClusters,
    ...overOf('installation').flatMap((part) => fleetPrice(situation, unexplained, part, explained)),
  ]
}

/** A price that stays under the threshold in each cluster, and explains most of the rise of all clusters. */
function fleetPrice(
  situation: Situation,
  unexplained: Unexplained,
  part: string,
  explained: ReadonlySet<string>,
): Cause[] {
  const clusters = partsBelowOf(situation.tree, part, 'cluster')
  const sums = new Map<string, Decimal>()
  for (const cluster of clusters)
    for (const [detail, usd] of priceByClass(situation.splits.get(cluster)))
      if (!explained.has(`${cluster} ${detail}`)) sums.set(detail, (sums.get(detail) ?? 0n) + usd)
  const excess = unexplained.get(part) ?? 0n
  const [detail, usd] = largest(sums)
  if (detail === undefined || !explains(usd, excess)) return []
  const shares = new Map<string, Decimal>()
  for (const cluster of clusters)
    if (!explained.has(`${cluster} ${detail}`))
      for (const [key, own] of explainPrice(situation, unexplained, cluster, detail))
        shares.set(key, (shares.get(key) ?? 0n) + own)
  return [{ part, excess, kind: 'price', detail, isShift: false, shares: largeShares(shares, part) }]
}

/** What the price of a class in a cluster adds to each part. */
export const priceSharesOf = (situation: Situation, cluster: string, detail: string): PriceShares =>
  largeShares(explainPrice(situation, allExcess(situation.scores), cluster, detail), cluster)

function largeShares(shares: PriceShares, part: string): PriceShares {
  const whole = shares.get(part) ?? 0n
  return new Map([...shares].filter(([, usd]) => usd > 0n && usd * 100n >= whole))
}

/** Takes a price of earlier hours from its parts, as far as `part` still costs more. Other excess stays. */
export function explainShares(unexplained: Unexplained, shares: PriceShares, part: string, excess: Decimal): void {
  const whole = shares.get(part) ?? 0n
  if (whole <= 0n || excess <= 0n) return
  const usd = excess < whole ? excess : whole
  for (const [key, own] of shares) unexplained.set(key, (unexplained.get(key) ?? 0n) - divideRounded(own * usd, whole))
}

/** Takes the price from the cluster, the parts above it, and all parts that share workloads with it. Returns what it took. */
function explainPrice(
  { tree, splits }: Situation,
  unexplained: Unexplained,
  cluster: string,
  detail: string,
): PriceShares {
  const priceOf = (key: string): Decimal => priceByClass(splits.get(key)).get(detail) ?? 0n
  const below = partsBelow(tree, cluster)
  const lowest = [...below].filter((key) => partsBelow(tree, key).size === 0)
  const sums = new Map<string, Decimal>()
  const usdOfLowest = new Map(lowest.filter((key) => splits.has(key)).map((key) => [key, priceOf(key)]))
  const split = [...usdOfLowest.values()].reduce((sum, usd) => sum + usd, 0n)
  const others = lowest.filter((key) => !splits.has(key))
  for (const [key, usd] of sharedByExcess(unexplained, others, priceOf(cluster) - split)) usdOfLowest.set(key, usd)
  for (const [key, usd] of usdOfLowest) {
    for (const each of [key, ...partsAbove(tree, key)])
      if (below.has(each)) sums.set(each, (sums.get(each) ?? 0n) + usd)
  }
  for (const key of below) if (splits.has(key)) sums.set(key, priceOf(key))
  for (const [other, shared] of sharedParts(tree, cluster))
    sums.set(
      other,
      shared.reduce((sum, key) => sum + (sums.get(key) ?? 0n), 0n),
    )
  for (const key of [cluster, ...partsAbove(tree, cluster)]) sums.set(key, priceOf(cluster))
  for (const [key, usd] of sums) unexplained.set(key, (unexplained.get(key) ?? 0n) - usd)
  return sums
}

/** Parts without a split get the price in proportion to their excess, so what exceeds the price stays unexplained. */
function sharedByExcess(unexplained: Unexplained, keys: readonly string[], usd: Decimal): [string, Decimal][] {
  const risen = keys.map((key): [string, Decimal] => [key, unexplained.get(key) ?? 0n]).filter(([, own]) => own > 0n)
  const total = risen.reduce((sum, [, own]) => sum + own, 0n)
  if (total === 0n || usd <= 0n) return []
  const shared = usd < total ? usd : total
  return risen.map(([key, own]) => [key, divideRounded(own * shared, total)])
}

const partsOver = ({ scores, threshold }: Situation, unexplained: Unexplained): string[] =>
  [...unexplained].filter(([key, usd]) => usd > threshold && scores.get(key)?.isFitted).map(([key]) => key)

function priceByClass(split: EffectSums | undefined): Map<string, Decimal> {
  const sums = new Map<string, Decimal>()
  for (const [key, usd] of split ?? []) {
    const { kind, detail } = readEffectKey(key)
    if (kind === 'price') sums.set(detail, (sums.get(detail) ?? 0n) + usd)
  }
  return sums
}

/** Of equal amounts the first by name. */
function largest(sums: ReadonlyMap<string, Decimal>): readonly [string | undefined, Decimal] {
  const [first] = [...sums].sort(([a, x], [b, y]) => compare(y, x) || compare(a, b))
  return first ?? [undefined, 0n]
}

/** The lowest part that explains at least 60 % of every part above it over the threshold. */
function lowestPlace(situation: Situation, unexplained: Unexplained): string | undefined {
  const { tree, threshold } = situation
  const over = new Set(partsOver(situation, unexplained))
  if (over.size === 0) return undefined
  const places = [...unexplained].filter(([key, usd]) => {
    if (usd <= threshold) return false
    const overAbove = [...partsAbove(tree, key)].filter((above) => over.has(above))
    if (!over.has(key) && overAbove.length === 0) return false
    return overAbove.every((above) => explains(usd, unexplained.get(above) ?? 0n))
  })
  places.sort(([a, x], [b, y]) => depthOf(tree, b) - depthOf(tree, a) || compare(y, x) || compare(a, b))
  return places[0]?.[0]
}

/**
 * The part took idle capacity: idle cost fell by most of the excess, and no cluster of the part is over the threshold. A team
 * can also take workloads of another owner: most of its excess is not in its clusters.
 */
export function isShift({ tree, scores, threshold }: Situation, part: string, excess: Decimal): boolean {
  const clusters = clustersOf(tree, part)
  const excessOf = (key: string) => scores.get(key)?.excess ?? 0n
  if (clusters.some((key) => excessOf(key) > threshold)) return false
  if (tree.parts.get(part)?.level === 'team') {
    const risen = clusters.reduce((sum, key) => sum + (excessOf(key) > 0n ? excessOf(key) : 0n), 0n)
    return clusters.length > 0 && explains(excess - risen, excess)
  }
  const idle = clusters.flatMap((key) => partsBelowOf(tree, key, 'idle'))
  const fall = idle.reduce((sum, key) => sum - excessOf(key), 0n)
  return idle.length > 0 && !idle.includes(part) && explains(fall, excess)
}

/** The largest positive effect. More or fewer hours with data are not a cause. */
export function causeName(split: EffectSums | undefined): CauseName {
  const named = [...(split ?? [])].filter(([key]) => readEffectKey(key).kind !== 'hours')
  const [key, usd] = largest(new Map(named))
  if (key === undefined || usd <= 0n) return { kind: 'unknown', detail: '' }
  const { kind, detail } = readEffectKey(key)
  return { kind, detail }
}

/**
 * Takes the excess of the part from the parts above it. `with-parts-below`: the parts below are explained too, and the parts
 * that share some of them.
 */
export function explainPart(
  tree: PartTree,
  unexplained: Unexplained,
  part: string,
  reach: 'alone' | 'with-parts-below' = 'with-parts-below',
): void {
  const own = unexplained.get(part) ?? 0n
  // A part that costs less than expected explains nothing. Its negative excess must not raise the parts above.
  const excess = own > 0n ? own : 0n
  const shares = reach === 'alone' ? [] : sharesOfOthers(tree, unexplained, part)
  for (const key of partsAbove(tree, part)) unexplained.set(key, (unexplained.get(key) ?? 0n) - excess)
  for (const [key, usd] of shares) unexplained.set(key, (unexplained.get(key) ?? 0n) - usd)
  const explained = reach === 'alone' ? [part] : [part, ...partsBelow(tree, part)]
  for (const key of explained) unexplained.set(key, 0n)
}

/** What parts beside `part`, such as a team and a namespace, share with it. */
function sharesOfOthers(tree: PartTree, unexplained: Unexplained, part: string): Map<string, Decimal> {
  const shares = new Map<string, Decimal>()
  for (const [other, shared] of sharedParts(tree, part)) {
    const usd = shared.map((key) => unexplained.get(key) ?? 0n).filter((each) => each > 0n)
    shares.set(
      other,
      usd.reduce((sum, each) => sum + each, 0n),
    )
  }
  return shares
}

/** The largest parts that lie in `part` and in each part beside it. */
function sharedParts(tree: PartTree, part: string): Map<string, string[]> {
  const [below, above] = [partsBelow(tree, part), partsAbove(tree, part)]
  const shared = new Map<string, Set<string>>()
  for (const key of below) {
    for (const other of partsAbove(tree, key)) {
      if (other === part || below.has(other) || above.has(other)) continue
      const keys = shared.get(other) ?? new Set<string>()
      shared.set(other, keys.add(key))
    }
  }
  return new Map([...shared].map(([other, keys]) => [other, topmost(tree, keys)]))
}

import { dayMs } from '@plimsoll/engine'
import type { RecommendationStatus } from '@plimsoll/contract'
import { targetKey, type Observation, type RuleFinding, type RuleWithheld, type Target } from '@plimsoll/engine/rules'
import { wayGone } from '@plimsoll/engine/verification'
import type { StoredContent } from './stored-content.ts'

/** Unconfirmed for so long, a pending one expires. */
const missingDaysMax = 14
/**
 * An approved recommendation expires after this time if it is not applied. Users can approve the current one instead.
 */
const approvedDaysMax = 90

export type OpenRecommendation = {
  id: string
  ruleId: string
  targetKey: string
  status: Extract<RecommendationStatus, 'pending' | 'approved'>
  content: StoredContent
  basis: string
  missingSince: Date | null
  approvedAt: Date | null
}

export type Suppression = {
  ruleId: string
  targetKey: string
  basis: string
  estimatedUsdPerMonth: number
  until: Date
  /** The change was applied and reverted; otherwise a user rejected the recommendation. */
  isTakenBack: boolean
}

export type Found = {
  /** The time of the snapshot. */
  observedAt: Date
  /** When the server last received history, by the clock of the server; absent or null: never. */
  historyReceivedAt?: Date | null
  findings: readonly RuleFinding[]
  withheld: readonly RuleWithheld[]
  observe: (target: Target) => Observation
  /** By rule and target: the bankable savings of each open recommendation that changes pods, found again or not. */
  credits?: ReadonlyMap<string, number>
  /** The cost of the whole cluster, which decides how severe savings are; absent or null: not known. */
  clusterUsdPerMonth?: number | null
}

export type Standing = {
  open: readonly OpenRecommendation[]
  suppressions: readonly Suppression[]
  /**
   * By rule and target: applied recommendations with the basis of their content. Null: the change is not observed yet,
   * so any new recommendation is premature. If the old state returns, the verification reports the change as reverted.
   */
  watched: ReadonlyMap<string, string | null>
  now: Date
}

export type Closing = {
  id: string
  to: Extract<RecommendationStatus, 'superseded' | 'resolved' | 'expired'>
  reason: string
}

export type Reconciled = {
  insert: RuleFinding[]
  /** Pending recommendations with their current content. */
  update: { id: string; finding: RuleFinding }[]
  /** Approved recommendations; null: the rule would no longer make this recommendation. */
  drift: { id: string; finding: RuleFinding | null }[]
  close: Closing[]
  /** Recommendations that cannot be confirmed from now on. */
  missing: string[]
  /** Found but suppressed, because a user rejected or reverted the recommendation. */
  suppressed: { finding: RuleFinding; suppression: Suppression }[]
}

export const openKey = (ruleId: string, target: string) => `${ruleId} ${target}`

/**
 * Decides what an analysis changes. Decisions of users, ids and history survive. Only content that the engine wrote
 * changes.
 */
export function reconcile({ findings, withheld, observe }: Omit<Found, 'observedAt'>, standing: Standing): Reconciled {
  const result: Reconciled = { insert: [], update: [], drift: [], close: [], missing: [], suppressed: [] }
  const left = new Map(findings.map((each) => [openKey(each.ruleId, targetKey(each.target)), each]))
  const targets = new Set(findings.map(({ target }) => targetKey(target)))
  const judged = new Map(withheld.flatMap(judgementOf))
  const heldBack = suppressionsOf(standing)
  const unjudged = judgeability(withheld.filter(({ reason }) => !isJudgement(reason)))

  for (const open of standing.open) {
    const key = openKey(open.ruleId, open.targetKey)
    const observed = observe(open.content.target)
    if (isDone(open.content, observed)) {
      result.close.push({ id: open.id, to: 'resolved', reason: 'The change was observed in the cluster.' })
      continue
    }
    if (isForgotten(open, standing.now)) {
      // A finding that still holds opens a new recommendation.
      result.close.push({
        id: open.id,
        to: 'expired',
        reason: `Approved ${approvedDaysMax} days ago and not applied since.`,
      })
      continue
    }
    const finding = left.get(key)
    left.delete(key)
    if (finding) {
      settleFound(open, finding, heldBack(finding), result)
    } else {
      const silence = {
        judgement: judged.get(key)?.detail,
        isUnknown: unjudged(key, open.ruleId) || observed.kind === 'unknown' || isAtRest(open.content, observed),
        // A recommendation to remove a whole workload replaces all recommendations about its parts.
        isReplaced: targets.has(open.targetKey) || judged.get(key)?.reason === 'idle_workload',
      }
      const closing = vanished(open, observed, silence, standing.now)
      if (closing) result.close.push({ id: open.id, ...closing })
      else if (open.status === 'pending') result.missing.push(...(open.missingSince === null ? [open.id] : []))
      else if (!isGapInData(silence)) result.drift.push({ id: open.id, finding: null })
    }
  }
  place(left, standing.watched, heldBack, result)
  return result
}

/** An approved recommendation stays. One that now proposes a reverted change is closed. */
function settleFound(
  { id, status }: Standing['open'][number],
  finding: RuleFinding,
  suppression: Suppression | undefined,
  result: Reconciled,
): void {
  if (status !== 'pending') {
    result.drift.push({ id, finding })
  } else if (suppression?.isTakenBack) {
    result.suppressed.push({ finding, suppression })
    result.close.push({ id, to: 'superseded', reason: 'The recommendation repeats a change that was reverted.' })
  } else {
    result.update.push({ id, finding })
  }
}

function place(
  left: ReadonlyMap<string, RuleFinding>,
  watched: Standing['watched'],
  heldBack: (finding: RuleFinding) => Suppression | undefined,
  result: Reconciled,
): void {
  for (const [key, finding] of left) {
    const basis = watched.get(key)
    if (basis === null || basis === finding.basis) continue
    const suppression = heldBack(finding)
    if (suppression) result.suppressed.push({ finding, suppression })
    else result.insert.push(finding)
  }
}

/** The same recommendation is not repeated, unless the workload has changed or the savings have grown by half. */
function suppressionsOf({ suppressions }: Standing): (finding: RuleFinding) => Suppression | undefined {
  const byKey = new Map(suppressions.map((each) => [openKey(each.ruleId, each.targetKey), each]))
  return (finding) => {
    const suppression = byKey.get(openKey(finding.ruleId, targetKey(finding.target)))
    return suppression && isSuppressed(suppression, finding) ? suppression : undefined
  }
}

function isSuppressed({ basis, estimatedUsdPerMonth }: Suppression, finding: RuleFinding): boolean {
  const growth = finding.estimatedUsdPerMonth - estimatedUsdPerMonth
  const hasGrown = growth > 0 && growth >= Math.abs(estimatedUsdPerMonth) / 2
  return basis === finding.basis && !hasGrown
}

/**
 * With these reasons an open recommendation is closed. Nothing is left to save, a policy excludes the target, the whole
 * workload may go, or another controller manages its requests. All other reasons are missing data or may pass, so the
 * recommendation and its link stay.
 */
const judgements: readonly RuleWithheld['reason'][] = [
  'saving_too_small',
  'excluded',
  'ignored',
  'system_namespace',
  'idle_workload',
  'managed_by',
  'autoscaled',
]

const isJudgement = (reason: RuleWithheld['reason']) => judgements.includes(reason)

const judgementOf = (withheld: RuleWithheld): [string, RuleWithheld][] =>
  withheld.target !== null && isJudgement(withheld.reason)
    ? [[openKey(withheld.ruleId, targetKey(withheld.target)), withheld]]
    : []

/** Whether a rule could not evaluate all targets or one target. A missing finding then means nothing. */
export function judgeability(withheld: readonly RuleWithheld[]) {
  const rules = new Set(withheld.filter(({ target }) => target === null).map(({ ruleId }) => ruleId))
  const targets = new Set(
    withheld.flatMap(({ ruleId, target }) => (target === null ? [] : [openKey(ruleId, targetKey(target))])),
  )
  return (key: string, ruleId: string) => rules.has(ruleId) || targets.has(key)
}

const isForgotten = ({ status, approvedAt }: OpenRecommendation, now: Date) =>
  status === 'approved' && now.getTime() - (approvedAt ?? now).getTime() > approvedDaysMax * dayMs

/** Why a recommendation may not be found any more. */
type Silence = {
  /** What the rule says instead; undefined: nothing. */
  judgement: string | undefined
  /** The rule could not evaluate the target, or the target cannot be observed. */
  isUnknown: boolean
  /** Another recommendation is about the same target. */
  isReplaced: boolean
}

/** Then an open recommendation keeps its content: a gap in the data says nothing about it. */
const isGapInData = ({ judgement, isUnknown }: Silence) => judgement === undefined && isUnknown

/** The transition of a recommendation that is no longer found; undefined: none yet. */
function vanished(
  open: OpenRecommendation,
  observed: Observation,
  silence: Silence,
  now: Date,
): Omit<Closing, 'id'> | undefined {
  const { judgement, isReplaced } = silence
  if (observed.kind === 'gone') return { to: 'expired', reason: 'The object no longer exists.' }
  if (open.status === 'approved') return undefined
  if (isGapInData(silence)) {
    const isOld = now.getTime() - (open.missingSince ?? now).getTime() > missingDaysMax * dayMs
    return isOld
      ? { to: 'expired', reason: `No analysis confirmed the recommendation for ${missingDaysMax} days.` }
      : undefined
  }
  if (isReplaced) return { to: 'superseded', reason: 'Another recommendation for the same object replaces this one.' }
  if (judgement !== undefined) return { to: 'expired', reason: judgement }
  return isSeenInTheEnd(open.content)
    ? { to: 'resolved', reason: 'The change was observed in the cluster.' }
    : { to: 'expired', reason: 'The recommendation no longer applies.' }
}

const isAboutPods = ({ change: { action } }: StoredContent) => action === 'set_labels' || action === 'set_limits'

/**
 * Changes whose finding ends only when a user makes the change. More load does not add a label, but less load does end
 * CPU throttling.
 */
const isSeenInTheEnd = (content: StoredContent) =>
  isAboutPods(content) && content.change.fields.every(({ path }) => path !== 'resources.limits.cpu')

/** These rules look at pods. Without a running pod, as between two runs of a job, a missing finding means nothing. */
export const isAtRest = (content: StoredContent, observed: Observation): boolean =>
  isAboutPods(content) && observed.kind === 'seen' && observed.replicas === 0

const doneShare = 0.9

/** At least nine tenths of the way from the current to the recommended value, for every changed value. */
function isDone({ current, recommended, change, target }: StoredContent, observed: Observation): boolean {
  // Nodes come and go without a user, so another node may have the same place.
  if (change.action === 'delete') return observed.kind === 'gone' && target.kind !== 'Node'
  if (observed.kind !== 'seen' || change.action !== 'set_requests' || current === null || recommended === null)
    return false
  const changing = (['cpuMillicores', 'memoryKib'] as const).filter((name) => current[name] !== recommended[name])
  return (
    changing.length > 0 &&
    changing.every((name) => wayGone(current[name], recommended[name], observed[name]) >= doneShare)
  )
}

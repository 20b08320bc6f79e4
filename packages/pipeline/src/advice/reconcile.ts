import type { RecommendationStatus } from '@plimsoll/contract'
import { targetKey, type Observation, type RuleFinding, type RuleWithheld, type Target } from '@plimsoll/engine/rules'
import { wayGone } from '@plimsoll/engine/verification'
import type { StoredContent } from './stored-content.ts'

/** Unconfirmed for so long, a pending one expires. */
const missingDaysMax = 14
/** Approved so long ago and not done, it expires: whoever still wants it decides on what holds now. */
const approvedDaysMax = 90

const dayMs = 86_400_000

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
  /** It was done and taken back; else somebody has rejected it. */
  isTakenBack: boolean
}

export type Found = {
  /** When the cluster was as it is told here. */
  observedAt: Date
  /** When something of its past had last been told, by our clock; absent or null: never. */
  historyReceivedAt?: Date | null
  findings: readonly RuleFinding[]
  withheld: readonly RuleWithheld[]
  observe: (target: Target) => Observation
  /** By rule and target, what each open one that changes pods takes off the bill, whether it was found again or not. */
  credits?: ReadonlyMap<string, number>
  /** What the whole cluster costs, by which savings are large or small; absent or null: not known. */
  clusterUsdPerMonth?: number | null
}

export type Standing = {
  open: readonly OpenRecommendation[]
  suppressions: readonly Suppression[]
  /**
   * By rule and target what was applied, with what it was based on; null: it has not been observed yet, and any advice about it would be
   * premature. What was there and looks again as it did is taken back: that is for its verification to say.
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
  /** Pending ones, with what holds now. */
  update: { id: string; finding: RuleFinding }[]
  /** Approved ones: null when it would not be said any more. */
  drift: { id: string; finding: RuleFinding | null }[]
  close: Closing[]
  /** Cannot be confirmed since now. */
  missing: string[]
  /** Found, and held back because somebody has rejected it or taken it back. */
  suppressed: { finding: RuleFinding; suppression: Suppression }[]
}

export const openKey = (ruleId: string, target: string) => `${ruleId} ${target}`

/** Decides what an analysis changes. People's decisions, ids and history survive it: only the engine's own words change. */
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
      // What is still found is said anew.
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
        // What asks whether a whole workload may go takes the place of all that was said about parts of it.
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

/** What somebody approved stays; what now asks for something that was taken back goes. */
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

/** The same advice is not repeated, unless the workload has changed or the saving has grown by half. */
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
 * What was said before must not go on beside these: there is nothing in it any more, somebody wants no advice there, the whole
 * workload may go, or something else sets or scales by its requests. All other reasons lack knowledge, or may pass by themselves: use
 * becomes steadier, budgets allow nothing for a moment, and whoever has a link to the advice finds it afterwards.
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

/** Whether a rule could not say anything, about all or about one target: then its silence means nothing. */
export function judgeability(withheld: readonly RuleWithheld[]) {
  const rules = new Set(withheld.filter(({ target }) => target === null).map(({ ruleId }) => ruleId))
  const targets = new Set(
    withheld.flatMap(({ ruleId, target }) => (target === null ? [] : [openKey(ruleId, targetKey(target))])),
  )
  return (key: string, ruleId: string) => rules.has(ruleId) || targets.has(key)
}

const isForgotten = ({ status, approvedAt }: OpenRecommendation, now: Date) =>
  status === 'approved' && now.getTime() - (approvedAt ?? now).getTime() > approvedDaysMax * dayMs

/** What its not being found may mean. */
type Silence = {
  /** What the rule says instead; undefined: nothing. */
  judgement: string | undefined
  /** The rule could not judge the target, or the target cannot be observed. */
  isUnknown: boolean
  /** Something else is advised about the same thing. */
  isReplaced: boolean
}

/** Then an open recommendation keeps its content: a gap in the data says nothing about it. */
const isGapInData = ({ judgement, isUnknown }: Silence) => judgement === undefined && isUnknown

/** What becomes of one that is no longer found; undefined: nothing yet. */
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
 * Changes whose advice ends when somebody makes them, and for no other reason: load that grows makes no label, but less load reaches no
 * CPU limit.
 */
const isSeenInTheEnd = (content: StoredContent) =>
  isAboutPods(content) && content.change.fields.every(({ path }) => path !== 'resources.limits.cpu')

/** Such a rule looks at pods: where none runs, as between two runs of a job, its silence means nothing. */
export const isAtRest = (content: StoredContent, observed: Observation): boolean =>
  isAboutPods(content) && observed.kind === 'seen' && observed.replicas === 0

const doneShare = 0.9

/** At least nine tenths of the way from what it was to what was asked for, on everything that was to change. */
function isDone({ current, recommended, change, target }: StoredContent, observed: Observation): boolean {
  // Nodes come and go without anybody's doing: another one may stand in its place.
  if (change.action === 'delete') return observed.kind === 'gone' && target.kind !== 'Node'
  if (observed.kind !== 'seen' || change.action !== 'set_requests' || current === null || recommended === null)
    return false
  const changing = (['cpuMillicores', 'memoryKib'] as const).filter((name) => current[name] !== recommended[name])
  return (
    changing.length > 0 &&
    changing.every((name) => wayGone(current[name], recommended[name], observed[name]) >= doneShare)
  )
}

import { regressedShownMax, type StepSavings, type VerificationDetail } from '@plimsoll/contract'
import type { PromisedMember } from './load-applied-steps.ts'

type Health = NonNullable<StepSavings['health']>
type Counts = Health['before']
type Watched = { member: PromisedMember; watch: NonNullable<VerificationDetail['watch']> }

/** Failures of the changed containers before and after the change; regressed containers are listed one by one. */
export function presentHealth(members: readonly PromisedMember[]): Health | null {
  const watched = members.flatMap((member): Watched[] => {
    const watch = member.verification_detail?.watch
    return watch ? [{ member, watch }] : []
  })
  if (watched.length === 0) return null
  const isRegressed = ({ watch }: Watched) => watch.regressions.length > 0
  const healthy = watched.filter((each) => !isRegressed(each))
  return {
    containers: healthy.length,
    before: sumCounts(healthy.map(({ watch }) => watch.before)),
    since: sumCounts(healthy.map(({ watch }) => watch.since)),
    regressed: watched.filter(isRegressed).slice(0, regressedShownMax).map(presentRegressed),
  }
}

const presentRegressed = ({ member, watch }: Watched): Health['regressed'][number] => ({
  recommendation_id: member.recommendation_id,
  namespace: member.namespace,
  workload: member.workload_name ?? '',
  container: member.container ?? '',
  change: member.change,
  message: member.verification_detail?.message ?? '',
  before: watch.before,
  since: watch.since,
  regressions: watch.regressions,
})

/** Throttling is the mean over the observed hours of the containers that report it. */
function sumCounts(counts: readonly Counts[]): Counts {
  const sum = (of: (count: Counts) => number) => counts.reduce((total, count) => total + of(count), 0)
  const throttled = counts.flatMap(({ hours, throttled: share }) => (share === null ? [] : [{ hours, share }]))
  const hours = throttled.reduce((total, each) => total + each.hours, 0)
  return {
    hours: Math.max(0, ...counts.map((count) => count.hours)),
    oom_kills: sum((count) => count.oom_kills),
    restarts: sum(({ restarts }) => restarts),
    throttled: hours === 0 ? null : throttled.reduce((total, each) => total + each.hours * each.share, 0) / hours,
  }
}

import type { Finding, Target, Withheld } from '../finding.ts'
import { workloadPath } from './list-proposals.ts'

type Told = Finding & { readonly ruleId: string }

/** Rules that ask whether a whole workload may go. */
const ASK_WHETHER_IT_GOES: readonly string[] = ['gpu_idle', 'workload_abandoned']

type Parted<Each> = { readonly staying: readonly Each[]; readonly withheld: readonly (Withheld & { ruleId: string })[] }

/**
 * What may go altogether needs no limit, no label and no other size until somebody has said that it stays: two such pieces of advice
 * would contradict each other, and save together more than it costs.
 */
export function leaveOutGoing<Each extends Told>(
  findings: readonly Each[],
  isSaid: (finding: Each) => boolean,
): Parted<Each> {
  const going = new Set(findings.filter((each) => asks(each) && isSaid(each)).map(pathOf))
  const isOfGoing = (each: Each) => each.workload !== null && !asks(each) && going.has(pathOf(each))
  return {
    staying: findings.filter((each) => !isOfGoing(each)),
    withheld: findings.filter(isOfGoing).map(({ target, ruleId }) => ({ ...doesNothing(target), ruleId })),
  }
}

const asks = ({ ruleId }: Told) => ASK_WHETHER_IT_GOES.includes(ruleId)

const pathOf = ({ target, workload }: Told) =>
  workloadPath(target.namespace, workload?.kind ?? '', workload?.name ?? '')

export const doesNothing = (target: Target): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'idle_workload',
  detail: 'The whole workload does nothing, and other advice asks whether it may go.',
  unlock: 'If it has to stay, mark it with plimsoll.dev/standby: then its requests are sized.',
})

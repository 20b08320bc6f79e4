import { decimal } from '../decimal.ts'
import type { Proposal } from '../packing/proposals.ts'
import type { PlanItem } from './plan.ts'

/** For tests: a recommendation that lowers requests in shop for $10/month, at low risk. */
export function anItem(key: string, more: Partial<PlanItem> = {}): PlanItem {
  return {
    key,
    role: 'resize',
    changes: [],
    ownUsdPerMonth: 0n,
    estimatedUsdPerMonth: decimal('10'),
    risk: 'low',
    namespace: 'shop',
    workload: key,
    team: 'shop',
    isStateful: false,
    nodes: [],
    verb: 'Lower',
    noun: ['request', 'requests'],
    title: `Lower the request of ${key}`,
    ...more,
  }
}

export const itemOf = ({ id, changes }: Proposal, more: Partial<PlanItem> = {}): PlanItem => {
  const [first] = changes
  return anItem(id, { changes, workload: first?.kind === 'resize' ? first.workload : id, ...more })
}

/** Names every node, as one recommendation for each would. */
export const aDrain = (nodes: readonly string[], key = 'drain'): PlanItem =>
  anItem(key, { role: 'drain', nodes, namespace: '', workload: '', team: '', title: `Drain ${nodes.join(', ')}` })

export function counter(): () => string {
  let steps = 0
  return () => `stp_${(steps += 1)}`
}

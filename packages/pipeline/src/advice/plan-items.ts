import { decimal } from '@plimsoll/engine'
import type { PackingPod } from '@plimsoll/engine/packing'
import type { PlanItem } from '@plimsoll/engine/plan'
import { findingKey, findRule, listProposals, planPartOf, workloadPath, type PlanPart } from '@plimsoll/engine/rules'
import type { Proposing } from './open-proposals.ts'

/** The team that owns a namespace; empty: no team. */
export type TeamOf = (namespace: string) => string

/** For a recommendation of a rule that no longer exists. */
const CHANGES_REQUESTS: PlanPart = { role: 'resize', verb: 'Lower', noun: ['request', 'requests'] }

/** Open recommendations as items of a plan. */
export function planItems(open: readonly Proposing[], pods: readonly PackingPod[], teamOf: TeamOf): PlanItem[] {
  const changesOf = new Map(listProposals(open, pods).map(({ id, changes }) => [id, changes]))
  return open.map((each): PlanItem => {
    const key = findingKey(each)
    const { target, workload, title, risk } = each
    const rule = findRule(each.ruleId)
    const { role, verb, noun } = rule ? planPartOf(rule, each) : CHANGES_REQUESTS
    // A failing workload is fixed, so its pods stay.
    const changes = (changesOf.get(key) ?? []).filter(({ kind }) => role !== 'protect' || kind === 'resize')
    const hasOwn = role === 'remove' || role === 'switch'
    return {
      key,
      role: role === 'resize' && changes.length === 0 ? 'other' : role,
      changes,
      ownUsdPerMonth: hasOwn && changes.length === 0 ? money(each.bankableUsdPerMonth ?? 0) : 0n,
      estimatedUsdPerMonth: money(each.estimatedUsdPerMonth),
      risk,
      namespace: target.namespace,
      workload: workload === null ? '' : workloadPath(target.namespace, workload.kind, workload.name),
      team: target.namespace === '' ? '' : teamOf(target.namespace),
      isStateful: workload?.kind === 'StatefulSet',
      nodes: each.removesNodes ?? each.machines ?? (target.kind === 'Node' ? [target.name] : []),
      verb,
      ...(role === 'switch' && target.kind === 'NodePool' ? { pool: target.name } : {}),
      noun,
      title,
    }
  })
}

const money = (usd: number) => decimal(usd.toFixed(6))

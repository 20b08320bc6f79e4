import { decimal } from '@plimsoll/engine'
import type { Plan, PlanStep } from '@plimsoll/engine/plan'
import { targetKey, type RuleFinding } from '@plimsoll/engine/rules'
import { openKey } from '@plimsoll/pipeline/advice'
import { newId } from '../src/platform/ids.ts'
import { writePlan } from '../src/recommendations/queries/plans.ts'
import { analysed } from './findings.ts'
import type { TestApp } from './test-app.ts'

export type PlannedStep = Partial<Pick<PlanStep, 'id' | 'kind' | 'title' | 'nodes' | 'risk'>> & {
  findings: RuleFinding[]
  /** Share of each finding, in USD per month. */
  shares: string[]
}

/** Stores an analysis with these findings, and the plan with these steps. Returns the IDs of the steps. */
export async function planned(t: TestApp, clusterId: string, steps: readonly PlannedStep[], runRate = '1000') {
  await analysed(t, clusterId, { findings: steps.flatMap(({ findings }) => findings) })
  let left = decimal(runRate)
  const planSteps = steps.map(({ findings, shares, ...more }): PlanStep => {
    const keys = findings.map(({ ruleId, target }) => openKey(ruleId, targetKey(target)))
    const usdPerMonth = shares.reduce((sum, share) => sum + decimal(share), 0n)
    const before = left
    left -= usdPerMonth
    return {
      id: newId('stp', t.clock.now),
      kind: 'free',
      title: `Lower ${findings.length} requests`,
      members: keys,
      nodes: [],
      moves: [],
      usdPerMonth,
      runRateBeforeUsdPerMonth: before,
      runRateAfterUsdPerMonth: left,
      capacityUsdPerMonth: decimal('12.5'),
      effort: { workloads: findings.length, teams: ['shop'], podsRestarted: 4, podsMoved: 2, statefulSetsRestarted: 0 },
      risk: 'low',
      shares: new Map(keys.map((key, index) => [key, decimal(shares[index] ?? '0')])),
      ...more,
    }
  })
  const usdPerMonth = planSteps.reduce((sum, step) => sum + step.usdPerMonth, 0n)
  const plan: Plan = { steps: planSteps, usdPerMonth, isComplete: true, bounds: [], drained: [] }
  await t.db.transaction().execute((tx) => writePlan(tx, clusterId, plan, t.clock.now))
  return planSteps.map(({ id }) => id)
}

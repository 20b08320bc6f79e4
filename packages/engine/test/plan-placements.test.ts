import { expect, test } from 'vitest'
import { rounds } from '../../../test/rounds.ts'
import { packCluster } from '../src/packing/bankable-savings.ts'
import type { PackingCluster } from '../src/packing/cluster.ts'
import { aDrain, counter } from '../src/plan/builders.ts'
import { planCluster } from '../src/plan/plan-cluster.ts'
import { largePlanState } from './large-plan-state.ts'
import { RandomScheduler } from './random-scheduler.ts'
import { PLAN_STATES, type PlanState } from './real-scheduler/plan-states.ts'
import { NAMESPACES } from './real-scheduler/random-state.ts'

const PLACEMENTS = rounds({ short: 500, full: 2000 })

/** As the control plane reports the state before the first step. */
const clusterOf = ({ state }: PlanState): PackingCluster => ({
  nodes: state.nodes,
  pools: state.pools,
  namespaces: NAMESPACES,
  pods: state.workloads.flatMap(({ name, pod, nodes }) =>
    nodes.map((node, index) => ({ ...pod, uid: `${name}-${index}`, name: `${name}-${index}`, node })),
  ),
  disruptionBudgets: state.disruptionBudgets.map(({ name, namespace, app, maxUnavailable }) => ({
    ...{ name, namespace, selector: { labels: { app } }, disruptionsAllowed: maxUnavailable },
  })),
})

/** Placements of each cluster, and how many may leave a pod pending: a plan is checked in a limited number of them. */
const LARGE = [
  { nodes: 30, placements: rounds({ short: 40, full: 200 }), failuresMax: rounds({ short: 1, full: 4 }) },
  { nodes: 100, placements: rounds({ short: 20, full: 100 }), failuresMax: rounds({ short: 1, full: 4 }) },
  { nodes: 200, placements: rounds({ short: 0, full: 50 }), failuresMax: 3 },
]

test.each(LARGE.filter(({ placements }) => placements > 0))(
  '$nodes nodes: hardly any placement of the scheduler leaves a pod pending after a step',
  ({ nodes, placements, failuresMax }) => {
    const { cluster, items } = largePlanState(nodes, 1)
    const { steps } = planCluster(packCluster(cluster), { items, runRateUsdPerMonth: null, newId: counter() })
    expect(steps.flatMap((step) => step.nodes).length).toBeGreaterThan(nodes / 10)
    const scheduler = new RandomScheduler(cluster)
    const failed = Array.from({ length: placements }, (_, seed) => scheduler.carryOut(steps, items, seed + 1)).filter(
      (pending) => pending.length > 0,
    )
    expect(failed.length).toBeLessThanOrEqual(failuresMax)
  },
)

test.each(PLAN_STATES)('$name: no step of the plan leaves a pod pending, however ties are broken', (each) => {
  const cluster = clusterOf(each)
  const items = [...each.items, ...cluster.nodes.map(({ name }) => aDrain([name], `drain-${name}`))]
  const { steps } = planCluster(packCluster(cluster), { items, runRateUsdPerMonth: null, newId: counter() })
  expect(steps.flatMap(({ nodes }) => nodes).length).toBeGreaterThan(1)
  const scheduler = new RandomScheduler(cluster)
  for (let seed = 1; seed <= PLACEMENTS; seed += 1) expect(scheduler.carryOut(steps, items, seed)).toEqual([])
})

import type { Plan, PlanList, PlanStep } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { shownPlan, shownPlans } from './shown-plan.ts'

const aStep = (number: number) => ({ id: `stp_${number}`, number }) as PlanStep
const aPlan = (over: Partial<Plan> = {}): Plan =>
  ({
    ...{ cluster_name: 'prod', run_rate: 1000, run_rate_after: 800, savings: 200, is_complete: true, bounds: [] },
    ...{ steps: [aStep(1), aStep(2)], analysed_at: '2026-11-18T04:00:00Z', reason: null },
    ...over,
  }) as Plan

test('the steps of one cluster have their own numbers as places', () => {
  const { steps, clusters, left_out: leftOut } = shownPlan(aPlan())
  expect(steps.map(({ id, place }) => [id, place])).toEqual([
    ['stp_1', 1],
    ['stp_2', 2],
  ])
  expect({ clusters, leftOut }).toEqual({ clusters: 1, leftOut: { steps: 0, savings: 0 } })
})

test('steps of a cluster that was checked in few placements say so', () => {
  const few = ['few-placements-tried']
  expect(shownPlan(aPlan()).steps.map(({ hasFewChecks }) => hasFewChecks)).toEqual([false, false])
  expect(shownPlan(aPlan({ bounds: few })).steps.map(({ hasFewChecks }) => hasFewChecks)).toEqual([true, true])
  const list = {
    steps: ['a', 'b'].map((id, place) => ({ ...aStep(1), cluster_id: id, place })),
    clusters: [
      { cluster_id: 'a', analysed_at: null, reason: null, bounds: few },
      { cluster_id: 'b', analysed_at: null, reason: null, bounds: [] },
    ],
  } as unknown as PlanList
  expect(shownPlans(list).steps.map(({ hasFewChecks }) => hasFewChecks)).toEqual([true, false])
})

test('a cluster without a plan is listed with its reason', () => {
  const reason = { code: 'no_analysis', detail: 'The first analysis has not run.' } as unknown as Plan['reason']
  expect(shownPlan(aPlan({ steps: [], reason })).without).toEqual([{ name: 'prod', ...reason }])
  expect(shownPlan(aPlan()).without).toEqual([])
})

test('the plans of all clusters show the oldest analysis, and ignore clusters without one', () => {
  const at = (name: string, analysed_at: string | null) => ({ cluster_name: name, analysed_at, reason: null })
  const list = {
    ...{ steps: [], left_out: { steps: 3, savings: 40 } },
    clusters: [at('a', '2026-11-18T04:00:00Z'), at('b', null), at('c', '2026-11-18T02:00:00Z')],
  } as unknown as PlanList
  expect(shownPlans(list)).toMatchObject({ clusters: 3, analysed_at: '2026-11-18T02:00:00Z', left_out: { steps: 3 } })
  expect(shownPlans({ ...list, clusters: [] }).analysed_at).toBeNull()
})

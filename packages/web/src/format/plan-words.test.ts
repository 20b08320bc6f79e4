import type { PlanStepReference } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { billSteps } from './money.ts'
import {
  changesWords,
  fixesWords,
  goToWords,
  plannedWords,
  podWords,
  stepSentence,
  teamWords,
  whatLeaves,
} from './plan-words.ts'

const reference: PlanStepReference = {
  id: 'stp_1',
  number: 3,
  of: 9,
  kind: 'free',
  title: 'Lower 14 requests in shop',
  savings: 624.88,
  others: 13,
  nodes: ['ip-10-26-7-62.eu-west-1.compute.internal'],
}

test('the link to a step names its place in the list of all clusters', () => {
  // Both steps are the first of their cluster.
  const steps = [
    { id: 'stp_a', number: 1, place: 1 },
    { id: 'stp_b', number: 1, place: 2 },
  ]
  expect(goToWords('stp_b', steps)).toBe('Go to step 2')
  expect(goToWords('stp_c', steps)).toBe('Go to the plan')
})

test('the banner of failing workloads says how many of them its step fixes', () => {
  const words = (workloads: number, failing: number, savings = 0) => {
    const step = { ...reference, savings, cluster_id: 'clu_1', failing_workloads: failing }
    return fixesWords({ workloads, step }, [{ id: 'stp_1', place: 1 }])
  }
  expect(words(4, 2)).toBe('Step 1 fixes 2 of them and fits in unallocated capacity')
  expect(words(4, 4, -31)).toBe('Step 1 fixes all of them and costs')
  expect(words(1, 1)).toBe('Step 1 fixes it and fits in unallocated capacity')
  expect(words(1, 0)).toBe('Step 1 fits in unallocated capacity')
  expect(fixesWords({ workloads: 1, step: null }, [])).toBe('')
})

test('applied changes are counted apart from the changes of the savings', () => {
  expect(changesWords({ changes: 2, changes_applied: 1 })).toBe('2 changes, 1 already applied')
  expect(changesWords({ changes: 1 })).toBe('1 change')
})

describe('the sentence of a step', () => {
  test('names its position, the other changes, the node and the savings', () => {
    expect(stepSentence(reference, 'shop')).toBe(
      'Step 3 of 9 in the plan of shop (14 changes): removes ip-10-26-7-62, −$625/month',
    )
    expect(stepSentence({ ...reference, others: 0, nodes: ['a', 'b', 'c'] }, undefined)).toBe(
      'Step 3 of 9: removes a, b and 1 more, −$625/month',
    )
  })

  test('has a plus sign for a step that costs, and no money for the rest', () => {
    expect(stepSentence({ ...reference, kind: 'protect', nodes: [], savings: -31, others: 1 }, undefined)).toBe(
      'Step 3 of 9 (2 changes): +$31/month',
    )
    expect(stepSentence({ ...reference, kind: 'protect', nodes: [], savings: 0, others: 1 }, undefined)).toBe(
      'Step 3 of 9 (2 changes): fits in unallocated capacity. The bill does not change',
    )
    expect(stepSentence({ ...reference, kind: 'rest', nodes: [], savings: 0 }, undefined)).toBe(
      'Step 3 of 9 (14 changes): removes no node now',
    )
  })
})

describe('what a step does to the bill', () => {
  const step = {
    kind: 'free',
    savings: 1,
    capacity_value: 1131,
    capacity_used: 31,
    nodes: [],
    recommendations: [],
  } as const
  const node = (name: string, type: string | null, by: string | null = null) =>
    ({ name, pool: 'p', instance_type: type, savings: 1, replaced_by: by }) // prettier-ignore

  test('names removed nodes by type and host, and a replacement by its type', () => {
    const leaves = (...nodes: ReturnType<typeof node>[]) => whatLeaves({ ...step, nodes, recommendations: [] })
    expect(leaves(node('ip-1.x', 'm6i.4xlarge'))).toBe('Removes 1 × m6i.4xlarge ip-1')
    expect(leaves(node('a', 'm5'), node('b', 'm5'), node('c', 'm5'), node('d', 'r5'))).toBe(
      'Removes 3 × m5 (a, b and 1 more) and 1 × r5 d',
    )
    expect(leaves(node('ip-1.x', null), node('ip-2.x', 'm6i', 'm6a.large'))).toBe(
      'Removes ip-1. Replaces 1 × m6i ip-2 with m6a.large',
    )
  })

  test('says why the bill stays', () => {
    const textOf = (more: object) => whatLeaves({ ...step, nodes: [], recommendations: [], ...more })
    expect(textOf({ kind: 'rest' })).toBe('Removes no node. Frees capacity worth $1,131/month')
    expect(textOf({ kind: 'protect', savings: 0 })).toBe('Uses $31/month of unallocated capacity')
    expect(textOf({ kind: 'protect', savings: 0, capacity_used: 0 })).toBe('Raises no request')
    expect(textOf({ kind: 'protect', savings: -140 })).toBe('Adds nodes. The higher requests cost $31/month')
  })
})

test('the savings of a plan name the changes that they count', () => {
  expect(plannedWords([{ status: 'open' }, { status: 'open' }])).toBe('open changes')
  expect(plannedWords([{ status: 'open' }, { status: 'approved' }])).toBe('changes that are not observed yet')
})

test('effort is in words', () => {
  const effort = { workloads: 2, teams: [], pods_restarted: 55, pods_moved: 37, stateful_sets_restarted: 1 }
  expect(podWords({ kind: 'free', effort })).toEqual(['restarts 55 pods, including 1 StatefulSet', 'moves 37 pods'])
  expect(podWords({ kind: 'drain', effort })).toEqual(['moves 37 pods'])
  expect(podWords({ kind: 'rest', effort: { ...effort, pods_restarted: 0, pods_moved: 0 } })).toEqual(['no restarts'])
  expect(podWords({ kind: 'switch', effort: { ...effort, pods_moved: null } })).toEqual([])
  expect(podWords({ kind: 'remove', effort: { ...effort, pods_restarted: 0, pods_moved: 0 } })).toEqual([])
})

test('a step names its teams, or its namespaces if they have no team', () => {
  const owners = (teams: string[], ...namespaces: string[]) =>
    teamWords({ effort: { teams }, recommendations: namespaces.map((namespace) => ({ namespace })) })
  expect(owners(['checkout'], 'shop', 'pay')).toBe('team checkout')
  expect(owners(['shop', 'pay'], 'pay', 'shop')).toBe('namespaces shop, pay')
  expect(owners(['a', 'b', 'c', 'd'])).toBe('4 teams')
  expect(owners([])).toBe('')
})

test('the bill after each step is the shown bill before it and the shown change', () => {
  const { now, changes, after, total } = billSteps(18_233.4, [-30.6, 2978.3, 0])
  expect([now, changes, after, total]).toEqual([
    '$18,233',
    ['+$31', '−$2,978', '$0'],
    ['$18,264', '$15,286', '$15,286'],
    '−$2,947',
  ])
  expect(billSteps(null, [5]).after).toEqual([null])
})

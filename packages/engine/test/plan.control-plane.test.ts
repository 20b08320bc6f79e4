import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import { packCluster } from '../src/packing/bankable-savings.ts'
import { resized } from '../src/packing/proposals.ts'
import { aDrain, counter } from '../src/plan/builders.ts'
import { planCluster } from '../src/plan/plan-cluster.ts'
import type { PlanItem, PlanStep } from '../src/plan/plan.ts'
import { DrainState } from './real-scheduler/drain-state.ts'
import { PLAN_STATES, type PlanState } from './real-scheduler/plan-states.ts'
import { startScheduling } from './real-scheduler/start-scheduling.ts'

const assets = findAssets(['kube-scheduler', 'kube-controller-manager', 'kwok'])

let plane: ControlPlane

describe.skipIf(assets === undefined)('a plan on the real kube-scheduler', () => {
  beforeAll(async () => {
    plane = await startControlPlane(assets ?? '')
    startScheduling(plane)
  }, 180_000)
  afterAll(() => plane.stop())

  test('step by step, exactly the named nodes can be removed and no pod stays pending', async () => {
    const done = await Promise.all(PLAN_STATES.map((each, index) => carryOut(each, `p${index}`)))
    for (const { text } of done) process.stdout.write(`${text}\n`)
    expect(done.flatMap(({ broken }) => broken)).toEqual([])
    for (const { steps, ratio } of done) {
      expect(steps).toBeGreaterThan(1)
      expect(ratio).toBeCloseTo(1, 6)
    }
  }, 1_800_000)
})

type Done = {
  readonly text: string
  readonly broken: readonly string[]
  readonly steps: number
  /** Stated by the plan, divided by what was really removed. */
  readonly ratio: number
}

async function carryOut({ name, state, items }: PlanState, id: string): Promise<Done> {
  const drains = new DrainState(plane, { id }, state)
  await drains.create()
  const all = [...items, ...state.nodes.map((node) => aDrain([node.name], `drain-${node.name}`))]
  const packing = packCluster(await drains.read())
  const { steps } = planCluster(packing, { items: all, runRateUsdPerMonth: null, newId: counter() })
  const broken: string[] = []
  for (const step of steps) broken.push(...(await carryOutStep(drains, step, items)))
  const left = new Set((await drains.read()).nodes.map((node) => node.name))
  const more = packCluster(await drains.read()).present.freed.length
  await drains.delete()
  const named = new Set(steps.flatMap(({ nodes }) => nodes.map((node) => node.name)))
  const stated = hourly(state.nodes.filter((node) => named.has(node.name)))
  const real = hourly(state.nodes.filter((node) => !left.has(node.name)))
  const kinds = steps.map(({ kind, nodes }) => `${kind} ${nodes.length}`).join(', ')
  return {
    text: `${name}: ${kinds}; stated / real: $${stated.toFixed(3)} / $${real.toFixed(3)} an hour = ${(stated / real).toFixed(3)}; ${more} more can go afterwards`,
    broken: broken.map((each) => `${name}: ${each}`),
    steps: steps.length,
    ratio: stated / real,
  }
}

const hourly = (nodes: PlanState['state']['nodes']) =>
  nodes.reduce((sum, { usdPerHour }) => sum + (usdPerHour === 'unpriced' ? 0 : Number(usdPerHour) / 1e24), 0)

/**
 * Cordons the first node of the step, applies the changes of the step, then drains its nodes one after the other. In between a pod may
 * have to wait for the next change. Returns what did not go as the plan says.
 */
async function carryOutStep(drains: DrainState, step: PlanStep, items: readonly PlanItem[]): Promise<string[]> {
  const [first] = step.nodes
  if (first) await drains.cordon(first.name)
  for (const { changes } of items.filter(({ key }) => step.members.includes(key))) {
    for (const change of changes) {
      if (change.kind === 'resize') await drains.resize(change.workload, (shape) => resized(shape, change))
    }
  }
  const broken: string[] = []
  for (const { name } of step.nodes) {
    const result = await drains.drain(name)
    if (result.kind !== 'emptied') broken.push(`${step.title}: ${name} ${JSON.stringify(result)}`)
  }
  const pending = await drains.listPending()
  return [...broken, ...pending.map((pod) => `${step.title}: ${pod} is pending`)]
}

import { parseQuantityNano, SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { Happening } from '../scenario/scenario.ts'
import type { RemovingStep } from './api.ts'
import type { Decision, Removal } from './decisions.ts'

export type Advice = { current: Spec; recommended: Spec }
type Spec = { cpu_request?: string; memory_request?: string }
type Resize = Extract<Happening, { kind: 'resize' }>

/** The time from a decision to its rollout. */
const ROLLOUT_SECONDS = 1200

/** The cluster changes of a decision, which is made this many seconds after the start of the world. */
export function carryOut(decision: Decision, { current, recommended }: Advice, atSecond: number): Happening[] {
  const { namespace, workload, container, share = 0, takenBackAfterHours } = decision
  if (share === 0) return []
  const before = sizeOf(current)
  const after = sizeOf(recommended)
  const resize = (second: number, way: number): Resize => ({
    kind: 'resize',
    atSecond: second,
    ...{ namespace, workload, container },
    cpuMillicores: between(before.cpuMillicores, after.cpuMillicores, way),
    memoryMib: between(before.memoryMib, after.memoryMib, way),
  })
  const rolledOut = atSecond + ROLLOUT_SECONDS
  return [
    resize(rolledOut, share),
    ...(takenBackAfterHours === undefined ? [] : [resize(rolledOut + takenBackAfterHours * SECONDS_PER_HOUR, 0)]),
  ]
}

const between = (from: number, to: number, way: number) => Math.round(from + (to - from) * way)

function sizeOf({ cpu_request: cpu = '0', memory_request: memory = '0' }: Spec) {
  return { cpuMillicores: inUnits(cpu, 1e6), memoryMib: Math.ceil(inUnits(memory, 1e9) / 1024 ** 2) }
}

function inUnits(quantity: string, nanoPerUnit: number): number {
  const parsed = parseQuantityNano(quantity)
  if (parsed.kind !== 'ok') throw new Error(`${quantity} is not a quantity: ${parsed.reason}`)
  return Number(parsed.value) / nanoPerUnit
}

type PlannedRemoval = { pool: string; afterHours: number; node?: string }

/**
 * The nodes to remove, and the recommendations to apply before. A removal takes all nodes of one step that names a
 * node of its pool: a step whose recommendations are all applied, or a step that only drains nodes. Steps with fewer
 * open recommendations come first.
 */
export function planRemovals(
  removals: readonly Removal[],
  steps: readonly RemovingStep[],
  applied: ReadonlySet<string>,
): { planned: PlannedRemoval[]; ids: string[] } {
  const left = steps
    .map(({ kind, nodes, ids }) => ({ kind, nodes, openIds: ids.filter((id) => !applied.has(id)) }))
    .filter(({ kind, openIds }) => kind === 'drain' || openIds.length === 0)
    .toSorted((a, b) => a.openIds.length - b.openIds.length)
  const idsToApply: string[] = []
  const planned = removals.flatMap(({ pool, afterHours, needsStep = false }): PlannedRemoval[] => {
    const index = left.findIndex(({ nodes }) => nodes.some((node) => node.pool === pool))
    const [step] = index < 0 ? [] : left.splice(index, 1)
    if (!step) return needsStep ? [] : [{ pool, afterHours }]
    idsToApply.push(...step.openIds)
    return step.nodes.map((node) => ({ pool: node.pool, afterHours, node: node.name }))
  })
  return { planned, ids: idsToApply }
}

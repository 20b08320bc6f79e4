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
 * The nodes to remove, and the recommendations to apply before. A removal takes a node of its pool that a step names: a
 * step whose recommendations are all applied, or a step that only drains nodes.
 */
export function planRemovals(
  removals: readonly Removal[],
  steps: readonly RemovingStep[],
  applied: ReadonlySet<string>,
): { planned: PlannedRemoval[]; ids: string[] } {
  const isReady = ({ kind, ids }: RemovingStep) => kind === 'drain' || ids.every((id) => applied.has(id))
  const left = steps.filter(isReady).flatMap(({ nodes, ids }) => nodes.map((node) => ({ ...node, ids })))
  const ids = new Set<string>()
  const planned = removals.map(({ pool, afterHours }): PlannedRemoval => {
    const at = left.findIndex((node) => node.pool === pool)
    const [node] = at < 0 ? [] : left.splice(at, 1)
    for (const id of node?.ids ?? []) if (!applied.has(id)) ids.add(id)
    return { pool, afterHours, ...(node ? { node: node.name } : {}) }
  })
  return { planned, ids: [...ids] }
}

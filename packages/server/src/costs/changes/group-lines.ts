import { addLine, emptyLine, type ChangeLine, type EffectSums, type Pair } from '@plimsoll/engine/changes'
import type { Decimal } from '@plimsoll/engine'
import { TooManyRows } from '../too-many-rows.ts'

/** What the effects of a workload rest on. `pods` is the mean over the known time. */
export type WorkloadFacts = Pair<{ pods: number; seconds: bigint; cpuRequest: bigint; memoryRequest: bigint }>

export type GroupLine = ChangeLine & {
  readonly names: readonly string[]
  unpriced: boolean
  facts: WorkloadFacts | null
}

export type AddedCost = Pair<Decimal> & {
  effects: EffectSums
  unpriced: boolean
  /** Null for costs that are not compute of a workload. */
  facts: WorkloadFacts | null
}

/** More groups would exhaust the memory of the thread. */
const groupsMaxByDefault = 150_000

/** The lines of an answer, by the names of their group. */
export class GroupLines {
  readonly #lines = new Map<string, GroupLine>()
  readonly #groupsMax: number

  constructor(groupsMax = groupsMaxByDefault) {
    this.#groupsMax = groupsMax
  }

  add(group: string, cost: AddedCost): void {
    const line = this.#lines.get(group) ?? this.#start(group)
    addLine(line, cost)
    line.unpriced ||= cost.unpriced
    if (cost.facts) line.facts = line.facts ? addFacts(line.facts, cost.facts) : cost.facts
  }

  all(): GroupLine[] {
    return [...this.#lines.values()]
  }

  #start(group: string): GroupLine {
    if (this.#lines.size >= this.#groupsMax) throw new TooManyRows(this.#groupsMax)
    const line = { ...emptyLine(), names: JSON.parse(group) as string[], unpriced: false, facts: null }
    this.#lines.set(group, line)
    return line
  }
}

/** The text of the names of a group, as `add` takes it. */
export const groupKey = (names: readonly string[]): string => JSON.stringify(names)

const sides = ['before', 'now'] as const

function addFacts(a: WorkloadFacts, b: WorkloadFacts): WorkloadFacts {
  const [before, now] = sides.map((side) => ({
    pods: a[side].pods + b[side].pods,
    seconds: a[side].seconds + b[side].seconds,
    cpuRequest: a[side].cpuRequest + b[side].cpuRequest,
    memoryRequest: a[side].memoryRequest + b[side].memoryRequest,
  })) as [WorkloadFacts['before'], WorkloadFacts['now']]
  return { before, now }
}

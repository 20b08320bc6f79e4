import type { PodShape } from '../src/allocation/pod-request.ts'
import { resized, type PodChange } from '../src/packing/proposals.ts'
import { listFeasible } from '../src/packing/find-node.ts'
import { CPU, MEMORY } from '../src/packing/needs.ts'
import { rewindState, snapshotState, type StateSnapshot } from '../src/packing/snapshot-state.ts'
import { cordon, known, lift, makeState, needOf, put, resizePod, retire, type State } from '../src/packing/state.ts'
import type { PackingCluster } from '../src/packing/cluster.ts'
import type { PlanItem, PlanStep } from '../src/plan/plan.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { ZONE } from './real-scheduler/random-state.ts'

/**
 * Carries out a plan with the scores of the kube-scheduler: LeastAllocated, BalancedAllocation and the default topology
 * spread. Ties are broken at random, and the order of pods is random. The scores share no code with the engine.
 */
export class RandomScheduler {
  readonly #state: State
  readonly #start: StateSnapshot
  readonly #shapes: PodShape[]
  /** By pod, whether the default topology spread applies. */
  readonly #spreads: boolean[]
  readonly #siblings: Map<string, number[]>
  readonly #zones: string[]
  #random: () => number = () => 0
  #pending: number[] = []

  constructor(cluster: PackingCluster) {
    this.#state = makeState(cluster)
    this.#start = snapshotState(this.#state)
    const { pods, nodes } = this.#state.model
    this.#shapes = pods.map(({ shape }) => shape)
    this.#spreads = pods.map(({ constraints }) => (constraints?.spread ?? []).length === 0)
    this.#siblings = new Map()
    pods.forEach(({ workload }, pod) => this.#siblings.set(workload, [...(this.#siblings.get(workload) ?? []), pod]))
    this.#zones = nodes.map(({ labels }) => labels[ZONE] ?? '')
  }

  /** Stops at the first step that leaves pods pending, and names these pods. */
  carryOut(steps: readonly PlanStep[], items: readonly PlanItem[], seed: number): string[] {
    rewindState(this.#state, this.#start)
    this.#shapes.splice(0, Infinity, ...this.#state.model.pods.map(({ shape }) => shape))
    this.#random = seededRandom(seed)
    this.#pending = []
    for (const step of steps) {
      this.#carryOutStep(step, items)
      if (this.#pending.length > 0) {
        return this.#pending.map((pod) => `${step.title}: ${known(this.#state.model.pods[pod]).name} is pending`)
      }
    }
    return []
  }

  #carryOutStep({ nodes, members }: PlanStep, items: readonly PlanItem[]): void {
    // A replaced node is drained onto its replacement.
    const removed = nodes.filter(({ replacedBy }) => replacedBy === null)
    const numbers = removed.map(({ name }) => known(this.#state.model.nodeNumbers.get(name)))
    if (numbers[0] !== undefined) cordon(this.#state, numbers[0])
    this.#rollOut(members.flatMap((member) => items.find(({ key }) => key === member)?.changes ?? []))
    for (const node of numbers) this.#drain(node)
  }

  /** One workload after the other, in the order of the step or in any order, or all workloads at once. */
  #rollOut(changes: readonly PodChange[]): void {
    const byWorkload = changes.map((change) => {
      if (change.kind !== 'resize') return []
      return this.#shuffle(this.#siblings.get(change.workload) ?? []).map((pod) => ({ pod, change }))
    })
    const way = Math.floor(this.#random() * 3)
    const replaced =
      way === 0 ? byWorkload.flat() : way === 1 ? this.#shuffle(byWorkload).flat() : this.#shuffle(byWorkload.flat())
    for (const { pod, change } of replaced) this.#replace(pod, resized(known(this.#shapes[pod]), change))
  }

  #replace(pod: number, shape: PodShape): void {
    const state = this.#state
    this.#shapes[pod] = shape
    if ((state.nodeOf[pod] ?? -1) >= 0) lift(state, pod)
    resizePod(state, pod, state.model.needs.idOf(known(state.model.pods[pod]), shape))
    this.#place([...this.#pending.filter((each) => each !== pod), pod])
  }

  #drain(node: number): void {
    const state = this.#state
    cordon(state, node)
    const pods = this.#shuffle(known(state.podsOn[node]))
    // The controller may replace each pod before the next eviction, or all pods at once.
    const batches = this.#random() < 0.5 ? [pods] : pods.map((pod) => [pod])
    for (const batch of batches) {
      for (const pod of batch) lift(state, pod)
      this.#place([...this.#pending, ...batch])
    }
    retire(state, node)
    this.#place(this.#pending)
  }

  #place(pods: readonly number[]): void {
    this.#pending = this.#shuffle(pods).filter((pod) => {
      const node = this.#choose(pod)
      if (node >= 0) put(this.#state, pod, node)
      return node < 0
    })
  }

  #choose(pod: number): number {
    const feasible = listFeasible(this.#state, pod)
    if (feasible.length < 2) return feasible[0] ?? -1
    const spread = this.#spreads[pod] ? this.#spreadScores(pod, feasible) : undefined
    const scores = feasible.map((node, index) => this.#resourceScore(pod, node) + 2 * (spread?.[index] ?? 0))
    const most = Math.max(...scores)
    const best = feasible.filter((_node, index) => (scores[index] ?? 0) === most)
    return best[Math.floor(this.#random() * best.length)] ?? -1
  }

  #resourceScore(pod: number, node: number): number {
    const { model, scored } = this.#state
    const width = model.resources.length
    const { scoreCpu, scoreMemory } = needOf(this.#state, pod)
    const used = (resource: number, own: number) => {
      const all = model.allocatable[node * width + resource] ?? 1
      return 1 - ((scored[2 * node + (resource === CPU ? 0 : 1)] ?? 0) - own) / all
    }
    const cpu = used(CPU, scoreCpu)
    const memory = used(MEMORY, scoreMemory)
    const least = Math.floor((Math.floor(100 * (1 - cpu)) + Math.floor(100 * (1 - memory))) / 2)
    return least + Math.floor(100 * (1 - Math.abs(cpu - memory) / 2))
  }

  /** The default constraint of the scheduler on zones, with the normalised score of each node. */
  #spreadScores(pod: number, feasible: readonly number[]): number[] {
    const { model, nodeOf } = this.#state
    const counts = new Map<string, number>(feasible.map((node) => [this.#zones[node] ?? '', 0]))
    const weight = Math.log(counts.size + 2)
    for (const each of this.#siblings.get(known(model.pods[pod]).workload) ?? []) {
      const zone = this.#zones[nodeOf[each] ?? -1]
      if (zone !== undefined && counts.has(zone)) counts.set(zone, (counts.get(zone) ?? 0) + 1)
    }
    const raw = feasible.map((node) => Math.round((counts.get(this.#zones[node] ?? '') ?? 0) * weight + 2))
    const [most, least] = [Math.max(...raw), Math.min(...raw)]
    return raw.map((score) => (most === 0 ? 100 : Math.floor((100 * (most + least - score)) / most)))
  }

  #shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, key: this.#random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item)
  }
}

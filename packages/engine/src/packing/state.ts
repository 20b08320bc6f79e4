import { countVolumes, noAttachedVolumes, volumesFit, type AttachedVolumes } from './attach-limits.ts'
import type { PackingCluster } from './cluster.ts'
import { isMet, type Moment } from './demands.ts'
import { makeFreeIndex, refreshNode, share, sortClass, type FreeIndex, type Rooms } from './free-index.ts'
import { countPorts, portsAreFree, type UsedPorts } from './host-ports.ts'
import { copyKinds } from './copy-kinds.ts'
import type { Kind } from './kinds.ts'
import { makeModel, type Model } from './model.ts'
import { CPU, MEMORY, type Need } from './needs.ts'
import { countIn } from './tally.ts'
import { isCounted } from './topology-spread.ts'

/** The placement of pods at one moment of a simulation. */
export type State = Moment & {
  readonly model: Model
  /** By pod; -1: not placed. */
  readonly nodeOf: Int32Array
  readonly needOf: Int32Array
  readonly podsOn: readonly number[][]
  readonly free: Float64Array
  /** CPU and memory of each node in turn, as the scheduler scores them. */
  readonly scored: Float64Array
  readonly ports: Map<number, UsedPorts>
  readonly volumes: Map<number, AttachedVolumes>
  readonly index: FreeIndex
  readonly capacities: Rooms
  /** Nodes that accept no pods: removed and cordoned nodes. */
  readonly closed: Uint8Array
}

/** The current cluster; pods without a known node are pending. The tallies in the model belong to this state. */
export const makeState = (cluster: PackingCluster): State => stateOf(makeModel(cluster))

/** Another simulation of the same cluster. It shares everything with the first one except the placement of pods. */
export const anotherState = ({ model }: State): State => stateOf({ ...model, kinds: copyKinds(model.kinds) })

function stateOf(model: Model): State {
  const { nodes, pods, classes, resources, allocatable } = model
  const width = resources.length
  const scored = new Float64Array(2 * nodes.length)
  nodes.forEach((_node, node) => {
    scored[2 * node] = allocatable[node * width + CPU] ?? 0
    scored[2 * node + 1] = allocatable[node * width + MEMORY] ?? 0
  })
  const free = allocatable.slice()
  const score = (node: number) => (state.closed[node] === 1 ? -Infinity : emptiness(state, node))
  const capacities: Rooms = { free, allocatable, width, score }
  const state: State = {
    model,
    classes,
    live: Int32Array.from(classes.all, (each) => each.nodes.length),
    gone: new Uint8Array(nodes.length),
    stamp: 0,
    nodeOf: new Int32Array(pods.length).fill(-1),
    needOf: model.needOf.slice(),
    podsOn: nodes.map(() => []),
    free,
    scored,
    ports: new Map(),
    volumes: new Map(),
    closed: new Uint8Array(nodes.length),
    index: makeFreeIndex(classes.all, capacities),
    capacities,
  }
  pods.forEach(({ node }, pod) => {
    const number = node === undefined ? undefined : model.nodeNumbers.get(node)
    if (number !== undefined) count(state, pod, number, 1)
  })
  classes.all.forEach((_class, id) => sortClass(state.index, capacities, id))
  return state
}

export function put(state: State, pod: number, node: number): void {
  count(state, pod, node, 1)
  if (state.gone[node] === 0) refresh(state, node)
}

export function lift(state: State, pod: number): void {
  const node = state.nodeOf[pod] ?? -1
  count(state, pod, node, -1)
  if (state.gone[node] === 0) refresh(state, node)
}

/** Changes the requests of a pod in place. Pending pods request the new amounts once they are placed. */
export function resizePod(state: State, pod: number, need: number): void {
  const node = state.nodeOf[pod] ?? -1
  const before = needOf(state, pod)
  state.needOf[pod] = need
  if (node < 0) return
  const after = needOf(state, pod)
  const width = after.amounts.length
  for (let each = 0; each < width; each += 1) {
    const more = (after.amounts[each] ?? 0) - (before.amounts[each] ?? 0)
    if (more !== 0) state.free[node * width + each] = (state.free[node * width + each] ?? 0) - more
  }
  state.scored[2 * node] = (state.scored[2 * node] ?? 0) - after.scoreCpu + before.scoreCpu
  state.scored[2 * node + 1] = (state.scored[2 * node + 1] ?? 0) - after.scoreMemory + before.scoreMemory
  if (state.gone[node] === 0) refresh(state, node)
}

/** The node accepts no more pods and is not a topology domain. */
export function retire(state: State, node: number): void {
  setGone(state, node, 1)
}

export function restore(state: State, node: number): void {
  setGone(state, node, 0)
}

/** The node accepts no more pods, but remains a domain of topology spread. */
export function cordon(state: State, node: number): void {
  setClosed(state, node, 1)
}

export function uncordon(state: State, node: number): void {
  setClosed(state, node, 0)
}

function setClosed(state: State, node: number, closed: 0 | 1): void {
  state.closed[node] = closed
  refresh(state, node)
}

function setGone(state: State, node: number, gone: 0 | 1): void {
  const id = state.classes.of[node] ?? 0
  state.gone[node] = gone
  state.live[id] = (state.live[id] ?? 0) + (gone === 1 ? -1 : 1)
  state.stamp += 1
  setClosed(state, node, gone)
}

export function needOf({ model, needOf: ids }: State, pod: number): Need {
  return known(model.needs.all[ids[pod] ?? -1])
}

export function kindOf({ kinds, kindOf: ids }: Model, pod: number): Kind {
  return known(kinds[ids[pod] ?? -1])
}

/** Filters that depend on the single node: demands between pods, free host ports, and attachable volumes. */
export function findNarrowObstacle(state: State, pod: number, node: number) {
  const { ports, narrow } = kindOf(state.model, pod)
  for (const demand of narrow) if (!isMet(demand, state, node)) return demand.filter
  if (ports.length > 0 && !portsAreFree(state.ports.get(node), ports)) return 'host-port'
  return canAttach(state, pod, node) ? undefined : 'volume-limit'
}

function canAttach({ model, volumes }: State, pod: number, node: number): boolean {
  const wanted = volumesOf(model, pod)
  const limits = model.nodes[node]?.attachLimits
  return wanted.length === 0 || limits === undefined || volumesFit(limits, volumes.get(node), wanted)
}

/** Whether `findNarrowObstacle` may find an obstacle. */
export function isNarrow(model: Model, pod: number): boolean {
  const { ports, narrow } = kindOf(model, pod)
  return narrow.length + ports.length + volumesOf(model, pod).length > 0
}

const volumesOf = (model: Model, pod: number) => known(model.volumesOf[pod])

export function findBroadObstacle(state: State, { broad }: Kind, node: number) {
  for (const demand of broad) if (!isMet(demand, state, node)) return demand.filter
  return undefined
}

/** The free share of CPU plus that of memory: twice the LeastAllocated score, before rounding. */
export function emptiness({ model, scored }: State, node: number): number {
  const at = node * model.resources.length
  return (
    share(scored[2 * node] ?? 0, model.allocatable[at + CPU] ?? 0) +
    share(scored[2 * node + 1] ?? 0, model.allocatable[at + MEMORY] ?? 0)
  )
}

function refresh(state: State, node: number): void {
  refreshNode(state.index, state.capacities, state.classes.of[node] ?? 0, node)
}

function count(state: State, pod: number, node: number, by: 1 | -1): void {
  const need = needOf(state, pod)
  const width = need.amounts.length
  for (let each = 0; each < width; each += 1) {
    state.free[node * width + each] = (state.free[node * width + each] ?? 0) - by * (need.amounts[each] ?? 0)
  }
  state.scored[2 * node] = (state.scored[2 * node] ?? 0) - by * need.scoreCpu
  state.scored[2 * node + 1] = (state.scored[2 * node + 1] ?? 0) - by * need.scoreMemory

  const own = known(state.podsOn[node])
  if (by === 1) own.push(pod)
  else takeOut(own, pod)
  state.nodeOf[pod] = by === 1 ? node : -1
  const kind = kindOf(state.model, pod)
  if (kind.isCounted) countAmongOthers(state, kind, node, by)
  countAttached(state, pod, node, by)
}

/** Like `splice`, without the array of removed values. */
function takeOut(pods: number[], pod: number): void {
  for (let at = pods.lastIndexOf(pod); at < pods.length - 1; at += 1) pods[at] = pods[at + 1] ?? -1
  pods.pop()
}

function countAmongOthers(state: State, { counted, ports }: Kind, node: number, by: 1 | -1): void {
  for (const { wanted, topology } of counted.wanted) countIn(wanted, topology.domainOf[node] ?? -1, by)
  for (const { owners, topology } of counted.owning) countIn(owners, topology.domainOf[node] ?? -1, by)
  for (const { tallies, topologies } of counted.together) {
    tallies.forEach((tally, term) => countIn(tally, topologies[term]?.domainOf[node] ?? -1, by))
  }
  for (const group of counted.spread) {
    if (!isCounted(group, state.classes, node)) continue
    countIn(group.tally, group.topology.domainOf[node] ?? -1, by)
    group.least.stamp = -1
  }
  if (ports.length === 0) return
  const used = state.ports.get(node) ?? new Map<string, Map<string, number>>()
  countPorts(used, ports, by)
  state.ports.set(node, used)
}

function countAttached({ model, volumes }: State, pod: number, node: number, by: 1 | -1): void {
  const own = volumesOf(model, pod)
  if (own.length === 0) return
  const attached = volumes.get(node) ?? noAttachedVolumes()
  countVolumes(attached, own, by)
  volumes.set(node, attached)
}

/** Numbers of the model always resolve; anything else is a bug. */
export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the index has no entry')
  return value
}

import { compare } from '../apportion.ts'
import type { PodShape } from '../allocation/pod-request.ts'
import type { Need } from '../packing/needs.ts'
import { resized, type PodChange } from '../packing/proposals.ts'
import { known, lift, put, resizePod, type State } from '../packing/state.ts'
import { append } from '../packing/targets.ts'
import type { PlanItem } from './plan.ts'

type Resize = Extract<PodChange, { kind: 'resize' }>

/** Pods of one workload with one shape. A bit set holds the applied changes. */
type Family = {
  readonly pod: number
  readonly shape: PodShape
  readonly changes: readonly { readonly item: number; readonly resize: Resize }[]
  /** Each item once, with the bits of its changes. */
  readonly items: readonly { readonly item: number; readonly bits: number }[]
  /** By the bits of the applied changes, the index of the resulting requests. */
  readonly needs: Map<number, number>
}

/** More changes to one pod do not fit into the bits of a number. */
const CHANGES_OF_POD_MAX = 30

/**
 * Changes of items to pods, applied and reverted one by one. A pod with a partly raised request reserves the raise
 * from the start. Applying a change then only frees capacity, so earlier results stay valid.
 */
export class Changes {
  readonly items: readonly PlanItem[]
  readonly #state: State
  readonly #isMade: Uint8Array
  readonly #families: Family[]
  /** By pod; -1: no item resizes it. */
  readonly #familyOf: Int32Array
  readonly #resized: readonly number[][]
  readonly #removed: readonly number[][]
  /** By pod, the item that removes it; -1: none. */
  readonly #remover: Int32Array
  /** By removed pod, its previous node. */
  readonly #removedFrom = new Map<number, number>()
  /** By item, whether capacity is reserved for its raise. */
  readonly #isReserved: Uint8Array

  /** `same`: changes of the same items in another simulation of the same cluster. */
  constructor(state: State, items: readonly PlanItem[], same?: Changes) {
    this.items = same?.items ?? items.filter(({ changes }) => changes.length > 0).sort((a, b) => compare(a.key, b.key))
    this.#state = state
    const { pods } = state.model
    this.#isMade = new Uint8Array(this.items.length)
    this.#isReserved = same ? same.#isReserved : new Uint8Array(this.items.length)
    this.#families = same ? same.#families : []
    this.#familyOf = same ? same.#familyOf : new Int32Array(pods.length).fill(-1)
    this.#remover = same ? same.#remover : new Int32Array(pods.length).fill(-1)
    this.#resized = same ? same.#resized : this.items.map(() => [])
    this.#removed = same ? same.#removed : this.items.map(() => [])
    if (same) return
    this.#fileResizes()
    this.#fileRemovals()
  }

  /** The same items in another simulation of the same cluster, none of them made. Both reserve for the same items. */
  another(state: State): Changes {
    return new Changes(state, [], this)
  }

  isMade(item: number): boolean {
    return this.#isMade[item] === 1
  }

  make(item: number): void {
    this.#isMade[item] = 1
    for (const pod of this.#resized[item] ?? []) resizePod(this.#state, pod, this.needOf(pod))
    for (const pod of this.#removed[item] ?? []) {
      if (this.#remover[pod] !== item) continue
      const node = this.#state.nodeOf[pod] ?? -1
      this.#removedFrom.set(pod, node)
      if (node >= 0) lift(this.#state, pod)
    }
  }

  /** Only after the pods are back on their nodes. */
  unmake(item: number): void {
    this.#isMade[item] = 0
    for (const pod of this.#removed[item] ?? []) {
      const node = this.#remover[pod] === item ? (this.#removedFrom.get(pod) ?? -1) : -1
      if (node >= 0) put(this.#state, pod, node)
      this.#removedFrom.delete(pod)
    }
    for (const pod of this.#resized[item] ?? []) resizePod(this.#state, pod, this.needOf(pod))
  }

  /** Like `make`, but resized pods keep their requests until their new pods replace them. */
  announce(item: number): void {
    if (this.onlyResizes(item)) this.#isMade[item] = 1
    else this.make(item)
  }

  /** Reverts `announce`, after the pods have their requests again. */
  revoke(item: number): void {
    if (this.onlyResizes(item)) this.#isMade[item] = 0
    else this.unmake(item)
  }

  listMade(): number[] {
    return this.items.flatMap((_item, number) => (this.isMade(number) ? [number] : []))
  }

  /** After the pods are back in the state of the application. */
  resetMade(items: readonly number[]): void {
    this.#isMade.fill(0)
    for (const item of items) this.#isMade[item] = 1
  }

  /** Evaluates the state with further changes, then restores it. */
  with<Answer>(items: readonly number[], look: () => Answer): Answer {
    for (const item of items) this.make(item)
    const answer = look()
    for (const item of items.toReversed()) this.unmake(item)
    return answer
  }

  /** Evaluates several sets of further changes. Only the differences between two sets are applied. */
  trySets<Answer>(look: (choose: (items: readonly number[]) => void) => Answer): Answer {
    let chosen: ReadonlySet<number> = new Set()
    const choose = (items: readonly number[]) => {
      const next = new Set(items)
      for (const item of chosen) if (!next.has(item)) this.unmake(item)
      for (const item of next) if (!chosen.has(item)) this.make(item)
      chosen = next
    }
    const answer = look(choose)
    choose([])
    return answer
  }

  /** The previous node of a pod that was removed while its node was drained. */
  noteRemoved(pod: number, node: number): void {
    this.#removedFrom.set(pod, node)
  }

  isRemoved(pod: number): boolean {
    const remover = this.#remover[pod] ?? -1
    return remover >= 0 && this.isMade(remover)
  }

  /** Reserves capacity for the raises of these items. Returns the pods with larger requests. */
  reserve(items: readonly number[]): number[] {
    this.#isReserved.fill(0)
    for (const item of items) this.#isReserved[item] = 1
    for (const { needs } of this.#families) needs.clear()
    return this.resizeReserved()
  }

  /** Pods with larger requests, because capacity is reserved for a raise. */
  resizeReserved(): number[] {
    return [...this.#familyOf.keys()].filter((pod) => {
      const need = this.needOf(pod)
      if (need === this.#state.needOf[pod]) return false
      resizePod(this.#state, pod, need)
      return true
    })
  }

  /** Whether a container of a pod requests more of a resource once the item is applied. */
  raises(item: number): boolean {
    return (this.#resized[item] ?? []).some((pod) => {
      const { shape, changes } = known(this.#families[this.#familyOf[pod] ?? -1])
      return changes.some(({ item: own, resize }) => own === item && upTo(shape, resize) !== undefined)
    })
  }

  /** Pending items that change a pod. */
  pendingOn(pod: number): number[] {
    const family = this.#families[this.#familyOf[pod] ?? -1]
    const own = family ? family.changes.map(({ item }) => item).filter((item) => !this.isMade(item)) : []
    const remover = this.#remover[pod] ?? -1
    return remover >= 0 && !this.isMade(remover) ? [...own, remover] : own
  }

  podsOf(item: number): readonly number[] {
    return [...(this.#resized[item] ?? []), ...(this.#removed[item] ?? [])]
  }

  /** Whether the item only changes requests: pods stay where they are, and so do the counts of pods on each node. */
  onlyResizes(item: number): boolean {
    return (this.#removed[item] ?? []).length === 0
  }

  /** Calls `visit` with each pending item and the requests of the pod once it is made; undefined: the pod is removed. */
  visitPending(pod: number, visit: (item: number, after: Need | undefined) => void): void {
    const family = this.#families[this.#familyOf[pod] ?? -1]
    const { all } = this.#state.model.needs
    if (family) {
      const made = this.#madeOf(family)
      for (const { item, bits } of family.items) {
        if (this.#isMade[item] === 0) visit(item, all[this.#needAt(family, made | bits)])
      }
    }
    const remover = this.#remover[pod] ?? -1
    if (remover >= 0 && !this.isMade(remover)) visit(remover, undefined)
  }

  /** The index of the requests of a pod with all changes made. */
  needOf(pod: number): number {
    const family = this.#families[this.#familyOf[pod] ?? -1]
    return family ? this.#needAt(family, this.#madeOf(family)) : (this.#state.needOf[pod] ?? -1)
  }

  #madeOf({ changes }: Family): number {
    let bits = 0
    for (let index = 0; index < changes.length; index += 1) {
      if (this.#isMade[changes[index]?.item ?? -1] === 1) bits |= 1 << index
    }
    return bits
  }

  #needAt(family: Family, bits: number): number {
    const found = family.needs.get(bits)
    if (found !== undefined) return found
    const { model } = this.#state
    const need = model.needs.idOf(known(model.pods[family.pod]), this.#shapeAt(family, bits))
    family.needs.set(bits, need)
    return need
  }

  #shapeAt({ shape, changes }: Family, bits: number): PodShape {
    return changes.reduce((current, { item, resize }, index) => {
      if ((bits & (1 << index)) !== 0) return resized(current, resize)
      const more = this.#isReserved[item] === 1 ? upTo(shape, resize) : undefined
      return more ? resized(current, more) : current
    }, shape)
  }

  #fileResizes(): void {
    const { model, needOf } = this.#state
    const byWorkload = new Map<string, { item: number; resize: Resize }[]>()
    this.items.forEach(({ changes }, item) => {
      for (const change of changes) {
        if (change.kind === 'resize') append(byWorkload, change.workload, { item, resize: change })
      }
    })
    const families = new Map<string, Map<PodShape, number>>()
    model.pods.forEach(({ workload, shape }, pod) => {
      const changes = byWorkload.get(workload)?.slice(0, CHANGES_OF_POD_MAX)
      if (!changes) return
      const key = `${workload} ${needOf[pod]}`
      const ofShape = families.get(key) ?? new Map<PodShape, number>()
      families.set(key, ofShape)
      const id = ofShape.get(shape) ?? this.#families.push(familyOf(pod, shape, changes)) - 1
      ofShape.set(shape, id)
      this.#familyOf[pod] = id
      for (const { item } of known(this.#families[id]).items) this.#resized[item]?.push(pod)
    })
  }

  #fileRemovals(): void {
    const removers = new Map<string, number>()
    this.items.forEach(({ changes }, item) => {
      for (const change of changes) {
        if (change.kind !== 'remove') continue
        // Two items that remove one pod remove it once.
        for (const uid of change.pods) if (!removers.has(uid)) removers.set(uid, item)
      }
    })
    if (removers.size === 0) return
    this.#state.model.pods.forEach(({ uid }, pod) => {
      const item = removers.get(uid)
      if (item === undefined) return
      this.#remover[pod] = item
      this.#removed[item]?.push(pod)
    })
  }
}

function familyOf(pod: number, shape: PodShape, changes: Family['changes']): Family {
  const bitsOf = new Map<number, number>()
  changes.forEach(({ item }, index) => bitsOf.set(item, (bitsOf.get(item) ?? 0) | (1 << index)))
  const items = [...bitsOf].map(([item, bits]) => ({ item, bits }))
  return { pod, shape, changes, items, needs: new Map() }
}

/** Only the raises of a resize; undefined: it raises nothing. */
function upTo(shape: PodShape, { container, cpu = 0, memory = 0, ...resize }: Resize): Resize | undefined {
  const own = [...shape.containers, ...(shape.initContainers ?? [])].find(({ name }) => name === container)
  if (!own || (cpu <= own.request.cpu && memory <= own.request.memory)) return undefined
  return {
    ...resize,
    container,
    cpu: Math.max(cpu, own.request.cpu),
    memory: Math.max(memory, own.request.memory),
  }
}

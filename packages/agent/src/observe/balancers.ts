import type { BalancerVersion, ObjectEnd } from '@plimsoll/contract'
import type { BalancerFacts, SliceFacts } from '../kinds/balancers.ts'
import { ObjectVersions, type Refs } from './object-versions.ts'

type Facts = Omit<BalancerVersion, 'ref' | 'from'>

/** Services with a load balancer, and their ready pods. */
export class Balancers {
  readonly #versions: ObjectVersions<Facts>
  readonly #balancers = new Map<string, BalancerFacts>()
  readonly #uids = new Map<string, string>()
  readonly #slices = new Map<string, SliceFacts>()
  readonly #podRef: (uid: string) => number
  /** Called for a new load balancer, whose endpoints were ignored before. */
  readonly #onNew: () => void

  constructor(refs: Refs, podRef: (uid: string) => number, onNew: () => void) {
    this.#versions = new ObjectVersions<Facts>(refs)
    this.#podRef = podRef
    this.#onNew = onNew
  }

  uids(): Iterable<string> {
    return this.#balancers.keys()
  }

  sliceUids(): Iterable<string> {
    return this.#slices.keys()
  }

  /** Endpoints of all other Services are ignored, because there are as many as pods. */
  isBalanced(namespace: string, service: string): boolean {
    return this.#uids.has(keyOf(namespace, service))
  }

  set(balancer: BalancerFacts, second: number): void {
    const isNew = !this.#balancers.has(balancer.uid)
    this.#balancers.set(balancer.uid, balancer)
    this.#uids.set(keyOf(balancer.namespace, balancer.name), balancer.uid)
    this.#record(balancer, second)
    if (isNew) this.#onNew()
  }

  end(uid: string, second: number): void {
    const balancer = this.#balancers.get(uid)
    if (!balancer) return
    this.#balancers.delete(uid)
    const key = keyOf(balancer.namespace, balancer.name)
    if (this.#uids.get(key) === uid) this.#uids.delete(key)
    this.#versions.end(uid, second)
  }

  setSlice(slice: SliceFacts, second: number): void {
    this.#slices.set(slice.uid, slice)
    this.#recordService(slice, second)
  }

  endSlice(uid: string, second: number): void {
    const slice = this.#slices.get(uid)
    if (!slice) return
    this.#slices.delete(uid)
    this.#recordService(slice, second)
  }

  living(second: number): BalancerVersion[] {
    return this.#versions.living(second).map(({ ref, from, facts }) => ({ ref, from, ...facts }))
  }

  take(): { versions: BalancerVersion[]; ends: ObjectEnd[] } {
    const { versions, ends } = this.#versions.take()
    return { versions: versions.map(({ entry: { ref }, from, facts }) => ({ ref, from, ...facts })), ends }
  }

  #recordService({ namespace, service }: SliceFacts, second: number): void {
    const balancer = this.#balancers.get(this.#uids.get(keyOf(namespace, service)) ?? '')
    if (balancer) this.#record(balancer, second)
  }

  #record(balancer: BalancerFacts, second: number): void {
    const ready = new Set<number>()
    for (const { namespace, service, readyPods } of this.#slices.values()) {
      if (namespace !== balancer.namespace || service !== balancer.name) continue
      for (const uid of readyPods) ready.add(this.#podRef(uid))
    }
    this.#versions.set({ ...balancer, readyPodRefs: [...ready].sort((a, b) => a - b) }, second)
  }
}

const keyOf = (namespace: string, name: string) => `${namespace}/${name}`

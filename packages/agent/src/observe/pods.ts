import type { ContainerEvent, PodShape, PodVersion } from '@plimsoll/contract'
import type { PodFacts } from '../kinds/pods.ts'
import { ObjectVersions, type Entry, type News, type Refs } from './object-versions.ts'
import type { Owners, Workload } from './owners.ts'

/** A pod with its workload and node, which are resolved once. */
export type KnownPod = { readonly uid: string; readonly pod: PodFacts; nodeRef: number; workload: Workload | undefined }

export type PodEntry = Entry<KnownPod>

export type PodsOptions = {
  refs: Refs
  owners: Owners
  /** The ref of the current node with this name; undefined: none. */
  nodeRef: (name: string) => number | undefined
  /** Called when a pod starts or stops mounting claims. */
  onMounts: (pod: PodEntry, isMounted: boolean, second: number) => void
}

/** How long a pod waits for its owners: each kind has its own watch, so owners may arrive later. */
const patienceSeconds = 20

/** All pods and their changes. */
export class Pods {
  readonly #versions: ObjectVersions<KnownPod>
  readonly #byName = new Map<string, Map<string, PodEntry>>()
  readonly #options: PodsOptions
  /** Each shape combined with the templates of its pods. */
  readonly #whole = new WeakMap<PodShape, WeakMap<object, PodShape>>()
  #events: ContainerEvent[] = []

  constructor(options: PodsOptions) {
    this.#options = options
    this.#versions = new ObjectVersions<KnownPod>(options.refs, (a, b) => isSame(a.pod, b.pod))
  }

  uids(): Iterable<string> {
    return this.#versions.uids()
  }

  get size(): number {
    return this.#versions.size
  }

  refOf(uid: string): number {
    return this.#versions.refOf(uid)
  }

  /** The current pod with this name. */
  named(namespace: string, name: string): PodEntry | undefined {
    return this.#byName.get(namespace)?.get(name)
  }

  set(pod: PodFacts, second: number): void {
    const before = this.#versions.get(pod.uid)?.facts
    const known = { uid: pod.uid, pod, nodeRef: before?.nodeRef ?? 0, workload: before?.workload }
    const hasJustFinished = pod.finishedAt > 0 && before?.pod.phase !== pod.phase
    const entry = this.#versions.set(known, hasJustFinished ? Math.min(pod.finishedAt, second) : second)
    if (before) this.#recordEvents(entry.ref, before.pod, pod, second)
    else this.#index(entry)
    const [was, is] = [before !== undefined && holdsClaims(before.pod), holdsClaims(pod)]
    if (was !== is) this.#options.onMounts(entry, is, second)
  }

  end(uid: string, second: number): void {
    const entry = this.#versions.end(uid, second)
    if (!entry) return
    const { pod } = entry.facts
    const names = this.#byName.get(pod.namespace)
    // A newer pod may already have this name.
    if (names?.get(pod.name) === entry) names.delete(pod.name)
    if (names?.size === 0) this.#byName.delete(pod.namespace)
    if (holdsClaims(pod)) this.#options.onMounts(entry, false, second)
  }

  living(second: number): PodVersion[] {
    const versions: PodVersion[] = []
    for (const entry of this.#versions.living(second)) {
      if (this.#isReady(entry.facts, entry.from, second))
        versions.push(this.#version(entry.ref, entry.from, entry.facts))
    }
    return versions
  }

  take(second: number) {
    // A deleted pod does not wait, because no more events follow.
    const isReady = ({ entry, from }: News<KnownPod>) => this.#isReady(entry.facts, entry.isEnded ? 0 : from, second)
    const { versions, ends } = this.#versions.take(isReady)
    const events = this.#events
    this.#events = []
    return {
      versions: versions.map(({ entry, from, facts }) =>
        this.#version(entry.ref, from, { ...entry.facts, pod: facts.pod }),
      ),
      ends,
      events,
    }
  }

  /** Resolves workload and node. False: the pod is new, and its owners may still arrive. */
  #isReady(known: KnownPod, from: number, second: number): boolean {
    const isPatient = second - from < patienceSeconds
    if (known.nodeRef === 0 && known.pod.nodeName !== '') {
      known.nodeRef = this.#options.nodeRef(known.pod.nodeName) ?? 0
      if (known.nodeRef === 0 && isPatient) return false
    }
    known.workload ??= this.#options.owners.find(known.pod)
    if (known.workload === undefined && isPatient) return false
    known.workload ??= this.#options.owners.guess(known.pod)
    return true
  }

  #version(ref: number, from: number, { pod, nodeRef, workload }: KnownPod): PodVersion {
    const { uid, name, namespace, boundAt, phase, shape, labels, nodeName } = pod
    return {
      ref,
      uid,
      from,
      name,
      namespace,
      nodeRef: nodeName === '' ? 0 : nodeRef,
      boundAt,
      phase,
      shape: this.#wholeShape(shape, workload),
      workloadKind: workload?.kind ?? '',
      workloadName: workload?.name ?? '',
      labels,
    }
  }

  #wholeShape(shape: PodShape, workload: Workload | undefined): PodShape {
    const template = workload?.template
    if (!template) return shape
    const byTemplate = this.#whole.get(shape) ?? new WeakMap<object, PodShape>()
    this.#whole.set(shape, byTemplate)
    const whole = byTemplate.get(template) ?? { ...shape, template }
    byTemplate.set(template, whole)
    return whole
  }

  #index(entry: PodEntry): void {
    const { namespace, name } = entry.facts.pod
    const names = this.#byName.get(namespace) ?? new Map<string, PodEntry>()
    this.#byName.set(namespace, names)
    names.set(name, entry)
  }

  /** Each restart and OOM kill once. Events before the first observation of the pod are ignored. */
  #recordEvents(podRef: number, before: PodFacts, pod: PodFacts, second: number): void {
    pod.restarts.forEach((count, container) => {
      const restarts = Math.max(0, count - (before.restarts[container] ?? 0))
      const killedAt = pod.kills[container] ?? 0
      const oomKills = killedAt > (before.kills[container] ?? 0) ? 1 : 0
      if (restarts + oomKills === 0) return
      const at = oomKills === 1 ? Math.min(killedAt, second) : second
      this.#events.push({ podRef, container, at, oomKills, restarts })
    })
  }
}

/** Equal shared values are identical objects. */
function isSame(a: PodFacts, b: PodFacts): boolean {
  return a.phase === b.phase && a.nodeName === b.nodeName && a.shape === b.shape && a.labels === b.labels
}

/** From binding until the pod ends. */
const holdsClaims = ({ claims, nodeName, phase }: PodFacts) =>
  claims.length > 0 && nodeName !== '' && phase !== 'succeeded' && phase !== 'failed'

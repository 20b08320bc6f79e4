import type { NodeVersion, PodShape, PodVersion } from '@plimsoll/contract'
import type { PodRequest } from '@plimsoll/engine/allocation'
import type { NodeClass } from '../prices/node-class.ts'
import type { WorkloadOwner } from './hour-sums.ts'
import { requestOf } from './request-of.ts'

export type ClassifyNode = (node: NodeVersion) => NodeClass

export type NodeRecord = {
  readonly uid: string
  /** Sorted by `from`. */
  versions: { from: number; facts: NodeVersion; class: NodeClass }[]
  bornAt: number
  endedAt: number
  missedAt: number
  pods: PodRecord[]
}

export type PodRecord = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly workloadKind: string
  readonly workloadName: string
  readonly labels: Readonly<Record<string, string>>
  /** The owner of its rows, valid until its labels or those of its namespace change. */
  owner: WorkloadOwner | undefined
  node: NodeRecord | undefined
  boundAt: number
  /** When it succeeded or failed. */
  finishedAt: number
  endedAt: number
  /** The first snapshot that did not list the object. If this is its end, the end was not observed. */
  missedAt: number
  /** Sorted by `from`. */
  versions: { from: number; facts: PodVersion; request: PodRequest; names: readonly string[] }[]
}

const never = Number.POSITIVE_INFINITY

/**
 * Which objects existed when, as a union of facts: versions and ends may come twice and in any order. The uid
 * identifies an object, so two pods of one name are two pods.
 */
export class Inventory {
  readonly nodes = new Map<string, NodeRecord>()
  readonly pods = new Map<string, PodRecord>()
  /** The last time an object disappeared without an observed end. */
  lastMissedAt = 0
  readonly #classify: ClassifyNode
  readonly #requests = new WeakMap<PodShape, Map<string, ReturnType<typeof requestOf>>>()

  constructor(classify: ClassifyNode) {
    this.#classify = classify
  }

  addNode(facts: NodeVersion): NodeRecord {
    const { uid, from } = facts
    const node = this.nodes.get(uid) ?? {
      ...{ uid, versions: [], pods: [] },
      ...{ bornAt: never, endedAt: never, missedAt: never },
    }
    this.nodes.set(uid, node)
    node.bornAt = Math.min(node.bornAt, facts.createdAt === 0 ? from : facts.createdAt)
    addVersion(node.versions, { from, facts, class: this.#classify(facts) })
    return node
  }

  addPod(facts: PodVersion, node: NodeRecord | undefined): PodRecord {
    const pod = this.pods.get(facts.uid) ?? newPod(facts)
    this.pods.set(facts.uid, pod)
    if (node && !pod.node) {
      pod.node = node
      pod.boundAt = facts.boundAt === 0 ? facts.from : facts.boundAt
      node.pods.push(pod)
    }
    if (facts.phase === 'succeeded' || facts.phase === 'failed') pod.finishedAt = Math.min(pod.finishedAt, facts.from)
    addVersion(pod.versions, { from: facts.from, facts, ...this.#request(facts, node) })
    return pod
  }

  /** Thousands of pods share a shape, and a batch returns the same object for all of them. */
  #request({ shape }: PodVersion, node: NodeRecord | undefined): ReturnType<typeof requestOf> {
    const gpu = node?.versions.at(-1)?.facts
    const byGpu = this.#requests.get(shape) ?? new Map<string, ReturnType<typeof requestOf>>()
    this.#requests.set(shape, byGpu)
    const key = `${gpu?.gpuProduct ?? ''} ${gpu?.gpuReplicas ?? 0}`
    const request = byGpu.get(key) ?? requestOf(shape, gpu)
    byGpu.set(key, request)
    return request
  }

  /**
   * The earliest reported end counts, because agents notice an end late, never early. Returns whether the end is new.
   */
  end(uid: string, at: number): boolean {
    const object = this.nodes.get(uid) ?? this.pods.get(uid)
    if (!object || object.endedAt <= at) return false
    object.endedAt = at
    return true
  }

  /**
   * A complete snapshot lists all living objects: unlisted objects have ended. Returns the second from which this is
   * new, and whether an object disappeared without an observed end.
   */
  settle(listed: ReadonlySet<string>, at: number): { newsFrom: number; hasMissed: boolean } {
    let newsFrom = at
    let hasMissed = false
    for (const object of [...this.nodes.values(), ...this.pods.values()]) {
      const bornAt = object.versions[0]?.from ?? never
      if (!listed.has(object.uid)) {
        if (bornAt > at || object.endedAt <= at) continue
        object.endedAt = at
        object.missedAt = at
        hasMissed = true
      } else if (object.endedAt <= at) {
        newsFrom = Math.min(newsFrom, object.endedAt)
        object.endedAt = never
        object.missedAt = never
      }
    }
    if (hasMissed) this.lastMissedAt = Math.max(this.lastMissedAt, at)
    return { newsFrom, hasMissed }
  }

  /** For checkpoints: the end of the object is known, and was not observed. */
  miss(uid: string, at: number): void {
    const object = this.nodes.get(uid) ?? this.pods.get(uid)
    if (!object) return
    object.missedAt = at
    this.lastMissedAt = Math.max(this.lastMissedAt, at)
  }

  /** Forgets objects that ended before any hour that can still be reopened. */
  forgetBefore(second: number): void {
    for (const pod of this.pods.values()) {
      if (paidUntil(pod) < second) this.pods.delete(pod.uid)
    }
    for (const node of this.nodes.values()) {
      if (node.endedAt < second) this.nodes.delete(node.uid)
      else node.pods = node.pods.filter((pod) => this.pods.has(pod.uid))
    }
  }
}

function newPod(facts: PodVersion): PodRecord {
  const { uid, namespace, name, workloadKind, workloadName, labels } = facts
  const times = { boundAt: never, finishedAt: never, endedAt: never, missedAt: never }
  return {
    uid,
    namespace,
    name,
    workloadKind,
    workloadName,
    labels,
    owner: undefined,
    node: undefined,
    ...times,
    versions: [],
  }
}

/** A repeated version changes nothing. Returns whether the version is new. */
export function addVersion<Version extends { from: number }>(versions: Version[], added: Version): boolean {
  const after = versions.findIndex(({ from }) => from >= added.from)
  if (after === -1) versions.push(added)
  else if (versions[after]?.from !== added.from) versions.splice(after, 0, added)
  else return false
  return true
}

/** A pod holds its request until it succeeds, fails or is deleted. */
export const paidUntil = (pod: PodRecord) => Math.min(pod.finishedAt, pod.endedAt)

/** The first known version also applies before: the object existed before its first report. */
export function versionAt<Version extends { from: number }>(versions: Version[], second: number): Version | undefined {
  return versions.findLast(({ from }) => from <= second) ?? versions[0]
}

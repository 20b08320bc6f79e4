import type { Labels, NamespaceVersion } from '@plimsoll/contract'
import { storedLabels } from './stored-labels.ts'
import { ownerOf, type WorkloadOwner } from './hour-sums.ts'
import { addVersion, versionAt, type PodRecord } from './inventory.ts'

type Version = { from: number; facts: NamespaceVersion; labelsOf: WeakMap<Labels, Labels> }

export type NamespaceRecord = { readonly uid: string; readonly name: string; versions: Version[]; endedAt: number }

const never = Number.POSITIVE_INFINITY

/** Namespaces and their labels, which apply to their pods. A name may be reused. */
export class Namespaces {
  readonly byUid = new Map<string, NamespaceRecord>()
  readonly #byName = new Map<string, NamespaceRecord[]>()
  readonly #unlabelled = new WeakMap<Labels, Labels>()
  /** Shared by all replicas, because the texts are long. */
  readonly #owners = new WeakMap<Labels, Map<string, WorkloadOwner>>()

  /** Returns whether the version is new. */
  add(facts: NamespaceVersion): boolean {
    const known = this.byUid.get(facts.uid)
    const record = known ?? { uid: facts.uid, name: facts.name, versions: [], endedAt: never }
    if (!known) {
      this.byUid.set(facts.uid, record)
      this.#byName.set(facts.name, [...(this.#byName.get(facts.name) ?? []), record])
    }
    return addVersion(record.versions, { from: facts.from, facts, labelsOf: new WeakMap() })
  }

  /** Thousands of pods share a label set, so the stored set is built once and shared. */
  labelsAt(namespace: string, own: Labels, second: number): Labels {
    const version = this.#versionAt(namespace, second)
    const kept = version?.labelsOf ?? this.#unlabelled
    const labels = kept.get(own) ?? storedLabels(own, version?.facts.labels ?? {})
    kept.set(own, labels)
    return labels
  }

  /** The owner of the rows of a pod at that second. Every pod looks it up every minute, so the pod caches it. */
  ownerAt(pod: PodRecord, second: number): WorkloadOwner {
    const labels = this.labelsAt(pod.namespace, pod.labels, second)
    if (pod.owner?.labels === labels) return pod.owner
    const { namespace, workloadKind, workloadName } = pod
    const ofLabels = this.#owners.get(labels) ?? new Map<string, WorkloadOwner>()
    this.#owners.set(labels, ofLabels)
    const name = JSON.stringify([namespace, workloadKind, workloadName])
    const owner = ofLabels.get(name) ?? ownerOf({ namespace, workloadKind, workloadName, labels })
    ofLabels.set(name, owner)
    pod.owner = owner
    return owner
  }

  #versionAt(namespace: string, second: number): Version | undefined {
    const records = this.#byName.get(namespace)
    if (records === undefined) return undefined
    const [only] = records
    if (records.length === 1 && only) return versionAt(only.versions, second)
    return versionAt(records.flatMap(({ versions }) => versions).sort(byFrom), second)
  }

  forgetBefore(second: number): void {
    for (const record of this.byUid.values()) {
      record.versions = keptVersions(record.versions, second)
      if (record.endedAt >= second) continue
      this.byUid.delete(record.uid)
      const others = (this.#byName.get(record.name) ?? []).filter((each) => each !== record)
      if (others.length === 0) this.#byName.delete(record.name)
      else this.#byName.set(record.name, others)
    }
  }
}

const byFrom = (a: Version, b: Version) => a.from - b.from

/** The version that applies at that second, and all later ones. */
export function keptVersions<Kept extends { from: number }>(versions: Kept[], second: number): Kept[] {
  const first = versions.findLastIndex(({ from }) => from <= second)
  return first > 0 ? versions.slice(first) : versions
}

import type { ObjectEnd, VolumeVersion } from '@plimsoll/contract'
import type { StorageClassFacts, VolumeFacts } from '../kinds/volumes.ts'
import { ObjectVersions, type Refs } from './object-versions.ts'
import type { PodEntry } from './pods.ts'

type Facts = Omit<VolumeVersion, 'ref' | 'from'>

/** Smaller changes of the used space cause no new version. */
const usedShareMin = 0.02

/** Volumes with their mounts and disk types. */
export class Volumes {
  readonly #versions: ObjectVersions<Facts>
  readonly #volumes = new Map<string, VolumeFacts>()
  /** By claim name. */
  readonly #uids = new Map<string, string>()
  readonly #mounts = new Map<string, Set<PodEntry>>()
  readonly #usedKib = new Map<string, number>()
  readonly #classes = new Map<string, StorageClassFacts>()

  constructor(refs: Refs) {
    this.#versions = new ObjectVersions<Facts>(refs)
  }

  uids(): Iterable<string> {
    return this.#volumes.keys()
  }

  set(volume: VolumeFacts, second: number): void {
    this.#volumes.set(volume.uid, volume)
    if (volume.claim !== '') this.#uids.set(keyOf(volume.namespace, volume.claim), volume.uid)
    this.#record(volume, second)
  }

  end(uid: string, second: number): void {
    const volume = this.#volumes.get(uid)
    if (!volume) return
    this.#volumes.delete(uid)
    const key = keyOf(volume.namespace, volume.claim)
    if (this.#uids.get(key) === uid) {
      this.#uids.delete(key)
      this.#usedKib.delete(key)
    }
    this.#versions.end(uid, second)
  }

  setMounts(pod: PodEntry, isMounted: boolean, second: number): void {
    const { namespace, claims } = pod.facts.pod
    for (const claim of claims) {
      const key = keyOf(namespace, claim)
      const pods = this.#mounts.get(key) ?? new Set()
      if (isMounted) pods.add(pod)
      else pods.delete(pod)
      if (pods.size > 0) this.#mounts.set(key, pods)
      else this.#mounts.delete(key)
      this.#recordClaim(key, second)
    }
  }

  setUsed(namespace: string, claim: string, usedKib: number, second: number): void {
    const key = keyOf(namespace, claim)
    const before = this.#usedKib.get(key)
    if (before !== undefined && Math.abs(usedKib - before) < usedShareMin * before) return
    this.#usedKib.set(key, usedKib)
    this.#recordClaim(key, second)
  }

  classUids(): Iterable<string> {
    return this.#classes.keys()
  }

  setClass(facts: StorageClassFacts, second: number): void {
    const before = this.#classes.get(facts.uid)
    this.#classes.set(facts.uid, facts)
    if (before?.diskType === facts.diskType && before.name === facts.name) return
    for (const volume of this.#volumes.values()) if (volume.storageClass === facts.name) this.#record(volume, second)
  }

  /** The disk type of existing volumes does not change. */
  endClass(uid: string): void {
    this.#classes.delete(uid)
  }

  living(second: number): VolumeVersion[] {
    return this.#versions.living(second).map(({ ref, from, facts }) => ({ ref, from, ...facts }))
  }

  take(): { versions: VolumeVersion[]; ends: ObjectEnd[] } {
    const { versions, ends } = this.#versions.take()
    return { versions: versions.map(({ entry: { ref }, from, facts }) => ({ ref, from, ...facts })), ends }
  }

  #recordClaim(key: string, second: number): void {
    const volume = this.#volumes.get(this.#uids.get(key) ?? '')
    if (volume) this.#record(volume, second)
  }

  #record(volume: VolumeFacts, second: number): void {
    const key = keyOf(volume.namespace, volume.claim)
    const usedKib = this.#usedKib.get(key)
    const mounted = volume.phase === 'bound' ? [...(this.#mounts.get(key) ?? [])] : []
    const facts = {
      ...volume,
      diskType: this.#diskType(volume),
      ...(usedKib === undefined ? {} : { usedKib }),
      mountedPodRefs: mounted.map(({ ref }) => ref).sort((a, b) => a - b),
    }
    this.#versions.set(facts, second)
  }

  #diskType({ uid, storageClass }: VolumeFacts): string {
    for (const { name, diskType } of this.#classes.values()) if (name === storageClass) return diskType
    return this.#versions.get(uid)?.facts.diskType ?? ''
  }
}

const keyOf = (namespace: string, claim: string) => `${namespace}/${claim}`

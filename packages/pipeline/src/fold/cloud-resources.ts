import type { BalancerVersion, VolumeVersion } from '@plimsoll/contract'
import { addVersion } from './inventory.ts'
import { keptVersions, Namespaces } from './namespaces.ts'

type CloudResourceVersion<Facts> = {
  from: number
  facts: Facts
  /** Uids of the pods that mount the volume, or are ready behind the load balancer. */
  users: readonly string[]
}

type CloudResourceOf<Kind, Facts> = {
  readonly kind: Kind
  readonly uid: string
  versions: CloudResourceVersion<Facts>[]
  endedAt: number
}

export type VolumeRecord = CloudResourceOf<'volume', VolumeVersion>
export type BalancerRecord = CloudResourceOf<'balancer', BalancerVersion>

const never = Number.POSITIVE_INFINITY

/**
 * Volumes and load balancers, as a union of facts like the inventory of nodes and pods. Nothing about them is measured:
 * their hours follow from these facts, and are computed again when a fact changes.
 */
export class CloudResources {
  readonly volumes = new Map<string, VolumeRecord>()
  readonly balancers = new Map<string, BalancerRecord>()
  readonly namespaces = new Namespaces()
  /** The earliest second that has changed since hours were last written. */
  #changedFrom = never

  addVolume(facts: VolumeVersion, users: readonly string[]): void {
    const { uid, from } = facts
    const volume: VolumeRecord = this.volumes.get(uid) ?? { kind: 'volume', uid, versions: [], endedAt: never }
    this.volumes.set(uid, volume)
    if (addOrComplete(volume.versions, { from, facts, users })) this.noteChange(from)
  }

  addBalancer(facts: BalancerVersion, users: readonly string[]): void {
    const { uid, from } = facts
    const balancer: BalancerRecord = this.balancers.get(uid) ?? { kind: 'balancer', uid, versions: [], endedAt: never }
    this.balancers.set(uid, balancer)
    if (addOrComplete(balancer.versions, { from, facts, users })) this.noteChange(from)
  }

  noteChange(second: number): void {
    this.#changedFrom = Math.min(this.#changedFrom, Math.max(0, second))
  }

  get changedFrom(): number {
    return this.#changedFrom
  }

  takeChange(): void {
    this.#changedFrom = never
  }

  /** The earliest reported end counts, as for nodes and pods. */
  end(uid: string, at: number): void {
    const object = this.#find(uid)
    if (!object || object.endedAt <= at) return
    object.endedAt = at
    this.noteChange(at)
  }

  /**
   * An object that a snapshot does not list has ended, unless the agent cannot list its kind. Such an object stays as
   * last seen.
   */
  settle(listed: ReadonlySet<string>, at: number, unreadable: ReadonlySet<string> = new Set()): void {
    const isKept = (kind: string) => unreadable.has('api_server') || unreadable.has(kind)
    const kept = {
      volume: isKept('persistentvolumes'),
      balancer: isKept('services'),
      namespace: isKept('namespaces'),
    }
    for (const object of this.#all()) {
      const bornAt = object.versions[0]?.from ?? never
      if (!listed.has(object.uid)) {
        if (bornAt <= at && !kept['kind' in object ? object.kind : 'namespace']) this.end(object.uid, at)
      } else if (object.endedAt <= at) {
        this.noteChange(object.endedAt)
        object.endedAt = never
      }
    }
  }

  forgetBefore(second: number): void {
    this.namespaces.forgetBefore(second)
    for (const kept of [this.volumes, this.balancers]) {
      for (const [uid, { endedAt }] of kept) if (endedAt < second) kept.delete(uid)
    }
    for (const volume of this.volumes.values()) volume.versions = keptVersions(volume.versions, second)
    for (const balancer of this.balancers.values()) balancer.versions = keptVersions(balancer.versions, second)
  }

  has(uid: string): boolean {
    return this.#find(uid) !== undefined
  }

  #find(uid: string) {
    return this.volumes.get(uid) ?? this.balancers.get(uid) ?? this.namespaces.byUid.get(uid)
  }

  #all() {
    return [...this.volumes.values(), ...this.balancers.values(), ...this.namespaces.byUid.values()]
  }
}

/** A repeated version may name users that were unknown before. */
function addOrComplete<Facts>(versions: CloudResourceVersion<Facts>[], added: CloudResourceVersion<Facts>): boolean {
  if (addVersion(versions, added)) return true
  const known = versions.find(({ from }) => from === added.from)
  if (!known || known.users.length >= added.users.length) return false
  known.users = added.users
  return true
}

import type { ObjectKind, ObjectVersion } from '@plimsoll/contract'

type ObjectRecord = { newest: ObjectVersion; endedAt: number }

const never = Number.POSITIVE_INFINITY

/**
 * Current autoscalers, budgets, quotas and similar objects. Only the newest version of each is held, because no past
 * hour depends on them. The order of arrival does not matter.
 */
export class ClusterObjects {
  readonly byUid = new Map<string, ObjectRecord>()

  add(version: ObjectVersion): void {
    const known = this.byUid.get(version.uid)
    if (!known) this.byUid.set(version.uid, { newest: version, endedAt: never })
    else if (version.from > known.newest.from) known.newest = version
  }

  /** The earliest reported end counts, as for nodes and pods. */
  end(uid: string, at: number): void {
    const object = this.byUid.get(uid)
    if (object && at < object.endedAt) object.endedAt = at
  }

  /** A complete snapshot lists all living objects of every kind that the agent can read. */
  settle(listed: ReadonlySet<string>, at: number, isReadable: (kind: ObjectKind) => boolean = () => true): void {
    for (const [uid, object] of this.byUid) {
      if (listed.has(uid)) {
        if (object.endedAt <= at) object.endedAt = never
      } else if (object.newest.from <= at && isReadable(object.newest.kind)) this.end(uid, at)
    }
  }

  forgetBefore(second: number): void {
    for (const [uid, { newest, endedAt }] of this.byUid) {
      if (endedAt < second && newest.from <= endedAt) this.byUid.delete(uid)
    }
  }

  /** Objects of a kind that exist at that second. */
  living<Kind extends ObjectKind>(kind: Kind, second: number): Extract<ObjectVersion, { kind: Kind }>[] {
    const found: Extract<ObjectVersion, { kind: Kind }>[] = []
    for (const { newest, endedAt } of this.byUid.values()) {
      // A version newer than the end disproves the end, because uids are never reused.
      if (newest.kind === kind && (endedAt > second || newest.from > endedAt))
        found.push(newest as Extract<ObjectVersion, { kind: Kind }>)
    }
    return found
  }
}

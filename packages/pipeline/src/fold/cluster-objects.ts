import type { ObjectKind, ObjectVersion } from '@plimsoll/contract'

type ObjectRecord = { newest: ObjectVersion; endedAt: number }

const never = Number.POSITIVE_INFINITY

/**
 * Autoscalers, budgets, quotas and the like, as they stand. Nothing of the past follows from them, so only the newest version
 * of each is kept; which one that is does not depend on the order in which they came.
 */
export class ClusterObjects {
  readonly byUid = new Map<string, ObjectRecord>()

  add(version: ObjectVersion): void {
    const known = this.byUid.get(version.uid)
    if (!known) this.byUid.set(version.uid, { newest: version, endedAt: never })
    else if (version.from > known.newest.from) known.newest = version
  }

  /** The earliest report counts, as for nodes and pods. */
  end(uid: string, at: number): void {
    const object = this.byUid.get(uid)
    if (object && at < object.endedAt) object.endedAt = at
  }

  /** A whole snapshot lists what lives, of every kind that the agent can read. */
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

  /** Those of a kind that are there at that second. */
  living<Kind extends ObjectKind>(kind: Kind, second: number): Extract<ObjectVersion, { kind: Kind }>[] {
    const found: Extract<ObjectVersion, { kind: Kind }>[] = []
    for (const { newest, endedAt } of this.byUid.values()) {
      // A version that is younger than the end says that it was none: uids are not given again.
      if (newest.kind === kind && (endedAt > second || newest.from > endedAt))
        found.push(newest as Extract<ObjectVersion, { kind: Kind }>)
    }
    return found
  }
}

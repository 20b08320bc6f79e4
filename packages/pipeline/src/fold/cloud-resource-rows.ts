import type { Labels } from '@plimsoll/contract'
import { intersect, PARTS_PER_WHOLE, secondsOf, type TimeSpan } from '@plimsoll/engine'
import {
  shareBalancer,
  shareVolume,
  type CloudResourceShares,
  type CloudResourceUser,
  type Unowned,
} from '@plimsoll/engine/allocation'
import {
  cloudResourceClassKey,
  balancerClass,
  volumeClass,
  type CloudResourceKind,
} from '../prices/cloud-resource-class.ts'
import { findProvider } from '@plimsoll/pricebook'
import type { ClusterPlace } from '../prices/node-class.ts'
import type { BalancerRecord, VolumeRecord } from './cloud-resources.ts'
import { controlPlaneSpans } from './control-plane.ts'
import type { FoldState } from './fold-state.ts'
import { ownerOf, type WorkloadOwner } from './hour-sums.ts'
import { paidUntil, type NodeRecord } from './inventory.ts'

export type CloudResourceOwner = 'workload' | Exclude<Unowned, 'idle'>

/** KiB-seconds of a volume, or part-seconds of a resource sold as a whole, with its user. */
export type CloudResourceRow = {
  kind: CloudResourceKind
  cloudResourceUid: string
  classKey: string
  owner: CloudResourceOwner
  /** Empty and without labels if no workload uses it. */
  namespace: string
  workloadKind: string
  workloadName: string
  labels: Labels
  unitSeconds: bigint
}

export const CONTROL_PLANE_UID = 'control-plane'

/** The charged quantities of volumes, load balancers and the control plane in a window. */
export function cloudResourceRows(state: FoldState, window: TimeSpan): CloudResourceRow[] {
  if (secondsOf(window) === 0) return []
  const nodes = [...state.inventory.nodes.values()].filter(
    ({ bornAt, endedAt }) => bornAt < window.to && endedAt > window.from,
  )
  const place = placeOf(state.place, nodes)
  const rows = new Rows(state, window)
  for (const volume of state.cloudResources.volumes.values()) addVolume(rows, volume, place)
  for (const balancer of state.cloudResources.balancers.values()) addBalancer(rows, balancer, place)
  for (const span of controlPlaneSpans({ place, nodes, versions: state.kubernetes }, window)) {
    const cloudResource = {
      kind: 'control_plane',
      uid: CONTROL_PLANE_UID,
      classKey: cloudResourceClassKey(span.facts),
    } as const
    rows.addUnused(cloudResource, 'overhead', BigInt(PARTS_PER_WHOLE) * BigInt(secondsOf(span)))
  }
  return rows.list()
}

/** Nodes know their location better than the registration of the cluster. */
export function placeOf(place: ClusterPlace, nodes: readonly NodeRecord[]): ClusterPlace {
  const first = nodes.reduce<NodeRecord | undefined>(
    (least, node) => (least && least.uid < node.uid ? least : node),
    undefined,
  )
  const facts = first?.versions.at(-1)?.facts
  const region = facts?.region ?? ''
  return {
    provider: findProvider(facts?.providerId ?? '') ?? place.provider,
    region: region === '' ? place.region : region,
  }
}

type CloudResource = { kind: CloudResourceKind; uid: string; classKey: string }

function addVolume(rows: Rows, volume: VolumeRecord, place: ClusterPlace): void {
  for (const { life, version } of livesOf(volume, rows.window)) {
    const { facts, users } = version
    const shares = shareVolume({ sizeKib: facts.sizeKib, life }, rows.usersOf(users, life), life)
    const cloudResource = {
      kind: 'volume',
      uid: volume.uid,
      classKey: cloudResourceClassKey(volumeClass(place, facts)),
    } as const
    rows.add(cloudResource, shares, 'unmounted')
  }
}

function addBalancer(rows: Rows, balancer: BalancerRecord, place: ClusterPlace): void {
  for (const { life, version } of livesOf(balancer, rows.window)) {
    const { facts, users } = version
    const shares = shareBalancer(life, rows.usersOf(users, life), life)
    const cloudResource = {
      kind: 'balancer',
      uid: balancer.uid,
      classKey: cloudResourceClassKey(balancerClass(place, facts)),
    } as const
    rows.add(cloudResource, shares, 'unattached')
  }
}

/** The window cut into pieces of one version each. */
function livesOf<Version extends { from: number }>(
  cloudResource: { versions: Version[]; endedAt: number },
  window: TimeSpan,
) {
  const { versions, endedAt } = cloudResource
  return versions
    .map((version, index) => ({
      version,
      life: intersect({ from: version.from, to: Math.min(versions[index + 1]?.from ?? endedAt, endedAt) }, window),
    }))
    .filter(({ life }) => secondsOf(life) > 0)
}

class Rows {
  readonly window: TimeSpan
  readonly #state: FoldState
  readonly #rows = new Map<string, CloudResourceRow>()

  constructor(state: FoldState, window: TimeSpan) {
    this.#state = state
    this.window = window
  }

  list(): CloudResourceRow[] {
    return [...this.#rows.values()]
  }

  /**
   * A pod that has ended uses nothing, whatever the last report about the resource says. A pod that disappeared in a
   * gap counts as a user until the end of the gap: the resource was there, is counted once, and is not reported as
   * unused.
   */
  usersOf(uids: readonly string[], life: TimeSpan): CloudResourceUser[] {
    return uids.flatMap((uid) => {
      const pod = this.#state.inventory.pods.get(uid)
      if (!pod || !Number.isFinite(pod.boundAt)) return []
      const span = intersect({ from: pod.boundAt, to: paidUntil(pod) }, life)
      return secondsOf(span) > 0 ? [{ key: uid, ...span }] : []
    })
  }

  add(cloudResource: CloudResource, { byUser, unused }: CloudResourceShares, unusedOwner: CloudResourceOwner): void {
    for (const [uid, unitSeconds] of byUser) {
      const pod = this.#state.inventory.pods.get(uid)
      if (!pod) continue
      const owner = this.#state.cloudResources.namespaces.ownerAt(pod, this.window.from)
      this.#put(cloudResource, 'workload', owner, unitSeconds)
    }
    if (unused > 0n) this.addUnused(cloudResource, unusedOwner, unused)
  }

  addUnused(cloudResource: CloudResource, owner: CloudResourceOwner, unitSeconds: bigint): void {
    this.#put(cloudResource, owner, noWorkload, unitSeconds)
  }

  #put(
    { kind, uid, classKey }: CloudResource,
    owner: CloudResourceOwner,
    of: WorkloadOwner,
    unitSeconds: bigint,
  ): void {
    const key = `${uid} ${classKey} ${owner} ${of.ownerText}`
    const known = this.#rows.get(key)
    if (known) {
      known.unitSeconds += unitSeconds
      return
    }
    const { namespace, workloadKind, workloadName, labels } = of
    const names = { namespace, workloadKind, workloadName, labels }
    this.#rows.set(key, { kind, cloudResourceUid: uid, classKey, owner, ...names, unitSeconds })
  }
}

const noWorkload = ownerOf({ namespace: '', workloadKind: '', workloadName: '', labels: {} })

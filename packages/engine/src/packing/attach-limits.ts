/** A volume that a CSI driver attaches to the node of its pod. */
export type PodVolume = { readonly driver: string; readonly id: string }

/**
 * How many volumes of each CSI driver a node can attach. A driver without an entry has no limit, as in the scheduler.
 */
export type AttachLimits = Readonly<Record<string, number>>

/** The volumes of one node: the number of pods per volume, and the number of attached volumes per driver. */
export type AttachedVolumes = { readonly users: Map<string, number>; readonly byDriver: Map<string, number> }

export const noAttachedVolumes = (): AttachedVolumes => ({ users: new Map(), byDriver: new Map() })

/** An attached volume needs no further attachment. */
export function volumesFit(
  limits: AttachLimits,
  attached: AttachedVolumes | undefined,
  wanted: readonly PodVolume[],
): boolean {
  const added = new Map<string, Set<string>>()
  for (const { driver, id } of wanted) {
    if (limits[driver] === undefined || attached?.users.has(id)) continue
    added.set(driver, (added.get(driver) ?? new Set<string>()).add(id))
  }
  return [...added].every(([driver, ids]) => (attached?.byDriver.get(driver) ?? 0) + ids.size <= (limits[driver] ?? 0))
}

export function countVolumes({ users, byDriver }: AttachedVolumes, volumes: readonly PodVolume[], by: 1 | -1): void {
  for (const { driver, id } of volumes) {
    const before = users.get(id) ?? 0
    const after = before + by
    if (after === 0) users.delete(id)
    else users.set(id, after)
    if ((before === 0) !== (after === 0)) byDriver.set(driver, (byDriver.get(driver) ?? 0) + by)
  }
}

/** The volumes of each pod whose driver has a limit on some node. All others fit everywhere and are not counted. */
export function limitedVolumes(
  nodes: readonly { readonly attachLimits?: AttachLimits }[],
  pods: readonly { readonly volumes?: readonly PodVolume[] }[],
): (readonly PodVolume[])[] {
  const limited = new Set(nodes.flatMap(({ attachLimits = {} }) => Object.keys(attachLimits)))
  return pods.map(({ volumes = NO_VOLUMES }) =>
    volumes.some(({ driver }) => limited.has(driver))
      ? volumes.filter(({ driver }) => limited.has(driver))
      : NO_VOLUMES,
  )
}

const NO_VOLUMES: readonly PodVolume[] = []

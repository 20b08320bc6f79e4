/** A volume that a CSI driver attaches to the node of its pod. */
export type PodVolume = { readonly driver: string; readonly id: string }

/** How many volumes of each CSI driver a node takes. A driver that is not named has no limit, as in the scheduler. */
export type AttachLimits = Readonly<Record<string, number>>

/** The volumes of one node: how many pods use each of them, and how many of them each driver has attached. */
export type AttachedVolumes = { readonly users: Map<string, number>; readonly byDriver: Map<string, number> }

export const noAttachedVolumes = (): AttachedVolumes => ({ users: new Map(), byDriver: new Map() })

/** A volume that is attached already needs no further attachment. */
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

/** The volumes of each pod that some node limits: all others fit everywhere, and nobody needs to count them. */
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

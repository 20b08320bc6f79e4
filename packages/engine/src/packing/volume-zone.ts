import { ZONE_LABEL, type PodConstraints } from './cluster.ts'
import type { Labels } from './label-selector.ts'

/** A bound volume does not move: its pod must run where all its volumes can be reached. */
export function reachesVolumes({ volumeZones = [] }: Pick<PodConstraints, 'volumeZones'>, labels: Labels): boolean {
  const zone = labels[ZONE_LABEL]
  return volumeZones.every((zones) => zone !== undefined && zones.includes(zone))
}

import type { Volume } from '../action.ts'
import type { VolumeFacts } from './cluster-facts.ts'

/** A released volume still names its former claim. */
export const isClaimed = ({ phase, claim }: VolumeFacts) => phase === 'bound' && claim !== ''

/** The volume as its commands need it. */
export function volumeOf(volume: VolumeFacts): Volume {
  const { name, namespace, claim, storageClass, reclaimPolicy } = volume
  return { name, claim: isClaimed(volume) ? { namespace, name: claim } : null, storageClass, reclaimPolicy }
}

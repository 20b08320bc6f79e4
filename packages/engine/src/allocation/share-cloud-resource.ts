import { apportion } from '../apportion.ts'
import { cutAtChanges, intersect, secondsOf, type TimeSpan } from '../time.ts'
import { PARTS_PER_WHOLE } from '../units.ts'

export type CloudResourceUser = TimeSpan & { readonly key: string }

/** Unit-seconds by user, and the unused unit-seconds. They add up to the whole. */
export type CloudResourceShares = {
  readonly byUser: ReadonlyMap<string, bigint>
  readonly unused: bigint
  readonly total: bigint
}

/** A volume, in KiB-seconds: cut at every mount and unmount, each piece split evenly; `unused` is unmounted time. */
export function shareVolume(
  volume: { sizeKib: number; life: TimeSpan },
  mounts: readonly CloudResourceUser[],
  window: TimeSpan,
): CloudResourceShares {
  return shareEvenly(BigInt(volume.sizeKib), mounts, intersect(volume.life, window))
}

/** A load balancer, in part-seconds, over its ready pods; `unused` is unattached time. */
export function shareBalancer(
  life: TimeSpan,
  readyPods: readonly CloudResourceUser[],
  window: TimeSpan,
): CloudResourceShares {
  return shareEvenly(BigInt(PARTS_PER_WHOLE), readyPods, intersect(life, window))
}

function shareEvenly(amount: bigint, users: readonly CloudResourceUser[], window: TimeSpan): CloudResourceShares {
  const byUser = new Map<string, bigint>()
  let unused = 0n
  for (const slice of cutAtChanges(window, users)) {
    const seconds = BigInt(secondsOf(slice))
    const keys = usersIn(slice, users)
    if (keys.length === 0) unused += amount * seconds
    // Split per second and then multiplied, so that a window can be cut anywhere.
    const even = apportion(
      amount,
      keys.map((key) => ({ key, weight: 1n })),
    )
    for (const [key, part] of even) byUser.set(key, (byUser.get(key) ?? 0n) + part * seconds)
  }
  return { byUser, unused, total: amount * BigInt(secondsOf(window)) }
}

/** A pod that mounts the volume twice is one user. */
function usersIn(slice: TimeSpan, users: readonly CloudResourceUser[]): string[] {
  return [...new Set(users.filter(({ from, to }) => from <= slice.from && slice.from < to).map(({ key }) => key))]
}

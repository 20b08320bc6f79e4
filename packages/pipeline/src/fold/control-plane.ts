import { secondsOf, type TimeSpan } from '@plimsoll/engine'
import { standardSupportEnd } from '@plimsoll/pricebook'
import { controlPlaneClass, type CloudResourceClass } from '../prices/cloud-resource-class.ts'
import type { ClusterPlace } from '../prices/node-class.ts'
import type { NodeRecord } from './inventory.ts'
import type { KubernetesVersions } from './kubernetes-versions.ts'

/** Managed control planes do not show their nodes. */
export const isControlPlane = ({ versions }: NodeRecord): boolean => {
  const labels = versions.at(-1)?.facts.labels ?? {}
  return 'node-role.kubernetes.io/control-plane' in labels || 'node-role.kubernetes.io/master' in labels
}

type Facts = { place: ClusterPlace; nodes: readonly NodeRecord[]; versions: KubernetesVersions }

/**
 * The window cut into pieces with one control plane price. The price changes when support of a version ends, or with an
 * upgrade.
 */
export function controlPlaneSpans(
  { place, nodes, versions }: Facts,
  window: TimeSpan,
): (TimeSpan & { facts: CloudResourceClass })[] {
  const isSelfManaged = nodes.some(isControlPlane)
  return versions.spansIn(window).flatMap(({ version, from, to }) => {
    const ends = standardSupportEnd(place.provider, version) ?? Number.POSITIVE_INFINITY
    const standard = { from, to: Math.min(to, ends), isExtended: false }
    const extended = { from: Math.max(from, ends), to, isExtended: true }
    return [standard, extended]
      .filter((span) => secondsOf(span) > 0)
      .map(({ isExtended, ...span }) => ({ ...span, facts: controlPlaneClass(place, { isSelfManaged, isExtended }) }))
  })
}

export function controlPlaneNow(facts: Facts, second: number): CloudResourceClass | undefined {
  return controlPlaneSpans(facts, { from: second, to: second + 1 })[0]?.facts
}

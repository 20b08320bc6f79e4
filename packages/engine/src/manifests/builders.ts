import type { LiveContainer, LiveWorkload, Sizes } from './live-workload.ts'
import type { WantedChange } from './plan-patches.ts'
import { renderManifests, type ManifestRequest } from './render-manifests.ts'
import type { ManifestFormat } from '../vocabulary/manifest-formats.ts'

const KIB_PER_MIB = 1024

const nothing: Sizes = { cpuMillicores: null, memoryKib: null }

/** A container that requests one core and 1 GiB, without limits. */
export function aContainer(given: Partial<LiveContainer> = {}): LiveContainer {
  const requests = given.requests ?? { cpuMillicores: 1000, memoryKib: 1024 * KIB_PER_MIB }
  const limits = given.limits ?? nothing
  const keysOf = ({ cpuMillicores, memoryKib }: Sizes) => [
    ...(cpuMillicores === null ? [] : ['cpu']),
    ...(memoryKib === null ? [] : ['memory']),
  ]
  return {
    name: 'app',
    list: 'containers',
    index: 0,
    isSidecar: false,
    requestKeys: keysOf(requests),
    limitKeys: keysOf(limits),
    hasClaims: false,
    ...given,
    requests,
    limits,
  }
}

/** A Deployment with two pods, all facts known, and no obstacle to a change. */
export const aWorkload = (given: Partial<LiveWorkload> = {}): LiveWorkload => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
  replicas: 2,
  containers: [aContainer()],
  injected: [],
  isTemplateSeen: true,
  podRequests: nothing,
  podLimits: nothing,
  labels: {},
  annotations: {},
  releaseSiblings: [],
  owner: null,
  autoscaler: null,
  limitRange: null,
  quota: null,
  largestNode: { cpuMillicores: 16_000, memoryKib: 64 * 1024 * KIB_PER_MIB },
  ...given,
})

type Fields = Record<string, string | null>

/** A recommendation to set these fields of the container `app`. */
export function aChange(
  fields: Fields,
  live: WantedChange['live'] = aWorkload(),
  given: Partial<WantedChange> = {},
): WantedChange {
  const { kind, namespace, name } = typeof live === 'object' ? live : aWorkload()
  const isContainers = Object.keys(fields).every((path) => path.startsWith('resources.'))
  return {
    id: 'rec_1',
    clusterId: 'cls_1',
    clusterName: 'prod',
    current: null,
    recommended: null,
    live,
    change: {
      action: 'set_requests',
      summary: 'Lower the request.',
      object: { kind, namespace, name, container: isContainers ? 'app' : '' },
      fields: Object.entries(fields).map(([path, to]) => ({ path, from: null, to })),
    },
    ...given,
  }
}

/** Below the request of container `app`. */
export const smaller = { 'resources.requests.cpu': '250m' }

export const mib = (count: number) => count * KIB_PER_MIB

export const sizes = (cpuMillicores: number | null, memoryMib: number | null): Sizes => ({
  cpuMillicores,
  memoryKib: memoryMib === null ? null : mib(memoryMib),
})

/** Without options about charts and directories by default. */
export const renderSome = (
  wanted: readonly WantedChange[],
  format: ManifestFormat = 'json-patch',
  given: Partial<ManifestRequest> = {},
) =>
  renderManifests({
    format,
    wanted,
    facts: [],
    skipped: [],
    declaredPath: () => undefined,
    storedClaims: () => [],
    chartOf: () => null,
    kustomizeBase: null,
    namesakes: [],
    ...given,
  })

/** The codes of the skipped recommendations. */
export const codesOf = (wanted: WantedChange | WantedChange[], format?: ManifestFormat) =>
  renderSome([wanted].flat(), format).skipped.map(({ code }) => code)

import type { KubeletPlace } from '../kinds/nodes.ts'
import type { ApiClient } from '../watch/api-client.ts'
import { kubelet, type VolumeUse } from './kubelet.ts'
import { kubeletClients, type KubeletAccess } from './kubelet-clients.ts'
import { metricsServer } from './metrics-server.ts'
import { prometheusClient, type PrometheusOptions } from './prometheus-client.ts'
import { prometheusUsage } from './prometheus.ts'
import type { UsageSource, UsageSourceName } from './usage-source.ts'

/** Whom the agent may ask what containers use. */
export type UsageOptions = {
  /** Only this one; default: the best that answers. */
  wanted?: UsageSourceName | 'auto' | 'none'
  /** Default 15, and 30 in large clusters. */
  sampleSeconds?: number
  /** Asks nodes themselves, which somebody has to allow. */
  kubelet?: KubeletAccess & { readsVolumes?: boolean }
  prometheus?: PrometheusOptions
}

export type UsageSources = { sources: UsageSource[]; volumes: VolumeUse | undefined }

/** The best first. */
export function usageSources(
  client: ApiClient,
  options: UsageOptions,
  {
    places,
    everySeconds,
    now,
  }: { places: () => Iterable<KubeletPlace>; everySeconds: () => number; now: () => number },
): UsageSources {
  const { kubelet: allowed } = options
  const nodes = allowed && kubelet({ places, clientOf: kubeletClients(allowed), now })
  return {
    sources: [
      ...(nodes ? [nodes] : []),
      metricsServer(client),
      ...(options.prometheus ? [prometheusUsage(prometheusClient(options.prometheus), everySeconds)] : []),
    ],
    volumes: allowed?.readsVolumes ? nodes?.volumes : undefined,
  }
}

import type { KubeletPlace } from '../kinds/nodes.ts'
import type { ApiClient } from '../watch/api-client.ts'
import { kubelet, type VolumeUse } from './kubelet.ts'
import { kubeletClients, type KubeletAccess } from './kubelet-clients.ts'
import { metricsServer } from './metrics-server.ts'
import { prometheusClient, type PrometheusOptions } from './prometheus-client.ts'
import { prometheusUsage } from './prometheus.ts'
import type { UsageSource, UsageSourceName } from './usage-source.ts'

/** The usage sources that the agent may use. */
export type UsageOptions = {
  /** A single source; default: the best source that responds. */
  wanted?: UsageSourceName | 'auto' | 'none'
  /** Default 15, and 30 in large clusters. */
  sampleSeconds?: number
  /** Reads kubelets, which needs an opt-in. */
  kubelet?: KubeletAccess & { readsVolumes?: boolean }
  prometheus?: PrometheusOptions
}

export type UsageSources = { sources: UsageSource[]; volumes: VolumeUse | undefined }

/** In order of preference. */
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

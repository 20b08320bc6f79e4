import { delimiter } from 'node:path'
import { inClusterAccess, type ClusterAccess } from '../kubernetes/cluster-access.ts'
import { httpClient } from '../kubernetes/http-client.ts'
import type { Observer } from '../observer.ts'
import { openObserver } from './open-observer.ts'
import type { UsageOptions } from '../usage/usage-sources.ts'
import { sleepSeconds } from '../observe/sleep.ts'
import type { Hash } from '../shape/hash-names.ts'
import { prometheusClient } from '../usage/prometheus-client.ts'
import { prometheusHistory } from '../usage/prometheus-history.ts'
import { version } from '../version.ts'
import type { AgentDeps } from './agent.ts'
import type { Log } from '../log.ts'
import type { ServerClock } from './server-clock.ts'
import { BadSetting, refuseSetting, type AgentSettings } from './settings.ts'

export type OpenClusterDeps = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970, by the server clock. */
  readonly now: () => number
  readonly log: Log
  readonly random: () => number
}

/** Starts to observe the cluster of the settings. */
export async function openCluster(settings: AgentSettings, deps: OpenClusterDeps): Promise<Observer> {
  const { env, now, log, random } = deps
  const access = await accessOf(settings, env, now)
  const client = httpClient(access, `plimsoll-agent/${version}`)
  const observer = openObserver({
    client,
    version,
    readHeaps: settings.readHeaps,
    usage: usageOf(settings, access),
    now,
    log,
    random,
  })
  return {
    ...observer,
    stop: async () => {
      await observer.stop()
      client.close()
    },
  }
}

/** The history, if a Prometheus is configured. */
export function historyOf(
  { prometheusUrl, historyDays }: AgentSettings,
  { observer, clock, signal, rename }: { observer: Observer; clock: ServerClock; signal: AbortSignal; rename?: Hash },
): Pick<AgentDeps, 'history'> {
  if (prometheusUrl === undefined || historyDays === 0) return {}
  const source = prometheusHistory({
    prometheus: prometheusClient({ url: prometheusUrl }),
    living: () => observer.living(Math.floor(clock.now())),
    sleep: sleepSeconds,
    now: () => clock.now() * 1000,
    signal,
    ...(rename ? { rename } : {}),
  })
  return { history: { source, daysBack: historyDays } }
}

function usageOf({ usage, kubelet, prometheusUrl }: AgentSettings, access: ClusterAccess): UsageOptions {
  return {
    wanted: usage,
    ...(kubelet === 'off' ? {} : { kubelet: { access, isVerified: kubelet === 'on', readsVolumes: true } }),
    ...(prometheusUrl === undefined ? {} : { prometheus: { url: prometheusUrl } }),
  }
}

/** As in kubectl: the named files first, then the service account of the pod. */
async function accessOf({ kubeconfig, context }: AgentSettings, env: OpenClusterDeps['env'], now: () => number) {
  const files = kubeconfig ?? env.KUBECONFIG ?? ''
  if (files !== '') {
    // Loaded on demand, because an agent in the cluster needs no YAML parser.
    const { kubeconfigAccess } = await import('../kubernetes/kubeconfig/kubeconfig-access.ts')
    return kubeconfigAccess({ paths: files.split(delimiter), context, env, now }).catch(refuseSetting)
  }
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (!host) throw new BadSetting('The agent does not run in a pod: set PLIMSOLL_KUBECONFIG or KUBECONFIG.')
  return inClusterAccess({ host, port, now })
}

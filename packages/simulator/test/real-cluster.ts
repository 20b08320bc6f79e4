import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EpochWriter, httpClient, openObserver, type Living } from '@plimsoll/agent'
import type { Batch } from '@plimsoll/contract'
import type { ControlPlane } from '../../../test/control-plane.ts'
import { manifests, nodes } from './real-manifests.ts'

/**
 * A snapshot of a real control plane by the agent: API server, scheduler, controller manager and KWOK, with objects
 * applied by kubectl, and nodes with the labels of GKE, EKS and AKS.
 */
export async function recordSnapshot(plane: ControlPlane, assets: string): Promise<Batch> {
  startControllers(plane)
  for (const node of nodes) await plane.call('POST', '/api/v1/nodes', node)
  for (const object of manifests) apply(plane, assets, object)
  await plane.call('PATCH', '/api/v1/namespaces/shop/services/web/status', {
    status: { loadBalancer: { ingress: [{ hostname: 'web.example.com' }] } },
  })
  const client = httpClient({
    origin: plane.origin,
    credentials: async () => ({ headers: { authorization: 'Bearer for-tests' }, tls: { rejectUnauthorized: false } }),
  })
  const log = () => undefined
  const observer = openObserver({ client, version: '0.1.0', now: Date.now, log, random: Math.random })
  await observer.synced
  await until(() => missing(observer.living(second())))
  const agent = () => ({
    ...observer.facts(),
    conditions: observer.conditions().map(({ detail: _detail, ...condition }) => condition),
  })
  const [batch] = new EpochWriter({ agent, epoch: 'recorded' }).snapshot(observer.living(second()), second())
  await observer.stop()
  client.close()
  if (!batch) throw new Error('a snapshot has at least one part')
  return batch
}

const second = () => Math.floor(Date.now() / 1000)

function startControllers(plane: ControlPlane): void {
  const common = ['--kubeconfig', plane.config, '--secure-port', '0', '--leader-elect=false']
  plane.start('kube-scheduler', ...common)
  // On a slow machine nodes report late and must not count as dead.
  plane.start('kube-controller-manager', ...common, '--node-monitor-grace-period', '30m')
  plane.start('kwok', '--kubeconfig', plane.config, '--manage-all-nodes=true', '--server-address', '127.0.0.1:0')
}

const apply = (plane: ControlPlane, assets: string, object: object) =>
  execFileSync(join(assets, 'kubectl'), ['--kubeconfig', plane.config, 'apply', '--filename', '-'], {
    input: JSON.stringify(object),
    stdio: ['pipe', 'ignore', 'inherit'],
  })

/** What the cluster still lacks before the recording; undefined: nothing. */
function missing({ pods, volumes, balancers, objects }: Living): string | undefined {
  const kinds = ['Deployment', 'StatefulSet', 'DaemonSet']
  const pending = kinds.find((kind) => !pods.some((pod) => pod.workloadKind === kind && pod.phase === 'running'))
  if (pending !== undefined) return `a running pod of a ${pending}`
  const hasRun = objects.some((each) => each.kind === 'workload' && each.spec.last_success_at !== undefined)
  if (!hasRun || !pods.some((pod) => pod.workloadKind === 'CronJob')) return 'a finished run of the CronJob'
  if (!volumes.some(({ phase, mountedPodRefs }) => phase === 'bound' && mountedPodRefs.length > 0))
    return 'a mounted volume'
  if (!balancers.some(({ readyPodRefs }) => readyPodRefs.length > 0)) return 'a ready pod of the balancer'
  const isScaled = objects.some((each) => each.kind === 'autoscaler' && each.spec.replicas !== undefined)
  return isScaled ? undefined : 'an autoscaler that has counted its replicas'
}

async function until(isMissing: () => string | undefined): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (isMissing() === undefined) return
    await wait(500)
  }
  throw new Error(`the control plane has never made ${isMissing() ?? 'anything'}`)
}

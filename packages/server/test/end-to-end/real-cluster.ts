import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { startControlPlane, type ControlPlane } from '../../../../test/control-plane.ts'
import { freePort } from '../../../../test/free-port.ts'
import { aCertificate, anAuthority } from '../../../../test/certificates.ts'
import { put } from '../manifests/render.ts'
import { patience } from '../patience.ts'

const run = promisify(execFile)

export type Pod = {
  metadata: { name: string; namespace: string }
  spec: { containers: { name: string }[] }
  status: { phase: string }
}

export type RealCluster = {
  plane: ControlPlane
  /** Scratch directory: `checkout` holds the kustomization and the chart of the objects. */
  directory: string
  kubectl: (...args: string[]) => Promise<string>
  /** Waits until this number of pods of the namespace run. */
  runningPods: (count: number) => Promise<Pod[]>
  stop: () => Promise<void>
}

type Deployment = {
  /** Runs before the controllers start. */
  prepare?: (cluster: RealCluster) => Promise<void>
  /** Runs before the scheduler starts. */
  place?: (cluster: RealCluster) => Promise<void>
  deploy?: (assets: string, cluster: RealCluster) => Promise<void>
}

/** A control plane with scheduler, controllers and KWOK, and the objects of `deploy`. */
export async function startRealCluster(assets: string, { prepare, place, deploy }: Deployment): Promise<RealCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-end-to-end-'))
  // PostgreSQL may run as another user.
  chmodSync(directory, 0o755)
  const plane = await startControlPlane(assets, {
    apiServerArguments: [...aggregation(directory), '--storage-media-type', 'application/json'],
  })
  const cluster = open(assets, plane, directory)
  try {
    await prepare?.(cluster)
    await startControllers(plane, directory)
    await place?.(cluster)
    plane.start('kube-scheduler', ...common(plane))
    await deploy?.(assets, cluster)
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** The API server authenticates forwarded requests to metrics-server with these. */
function aggregation(directory: string): string[] {
  const authority = anAuthority('front-proxy-ca')
  const { cert, key } = aCertificate('front-proxy', authority)
  return [
    ...['--requestheader-client-ca-file', put(join(directory, 'front-proxy-ca.crt'), authority.cert)],
    ...['--proxy-client-cert-file', put(join(directory, 'front-proxy.crt'), cert)],
    ...['--proxy-client-key-file', put(join(directory, 'front-proxy.key'), key)],
    ...['--requestheader-allowed-names', 'front-proxy', '--requestheader-username-headers', 'X-Remote-User'],
    ...['--requestheader-group-headers', 'X-Remote-Group', '--requestheader-extra-headers-prefix', 'X-Remote-Extra-'],
  ]
}

function open(assets: string, plane: ControlPlane, directory: string): RealCluster {
  const kubectl = async (...args: string[]) => {
    const { stdout } = await run(join(assets, 'kubectl'), ['--kubeconfig', plane.config, ...args], {
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  }
  const runningPods = (count: number) =>
    vi.waitFor(
      async () => {
        const { items } = JSON.parse(await kubectl('get', 'pods', '-n', 'shop', '-o', 'json')) as { items: Pod[] }
        const running = items.filter(({ status }) => status.phase === 'Running')
        if (running.length !== count) {
          throw new Error(`${running.length} of ${count} pods run: ${await kubectl('get', 'pods', '-n', 'shop')}`)
        }
        return running
      },
      { ...patience, interval: 500 },
    )
  const stop = async () => {
    await plane.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { plane, directory, kubectl, runningPods, stop }
}

const common = ({ config }: ControlPlane) => ['--kubeconfig', config, '--secure-port', '0', '--leader-elect=false']

async function startControllers(plane: ControlPlane, directory: string): Promise<void> {
  // A busy machine reports nodes late; they must not count as failed.
  plane.start('kube-controller-manager', ...common(plane), '--node-monitor-grace-period', '30m')
  const port = String(await freePort())
  const certs = dirname(plane.certificate)
  const config = put(join(directory, 'kwok.yaml'), kwokConfig)
  plane.start(
    'kwok',
    ...['--kubeconfig', plane.config, '--manage-all-nodes=true', '--config', config],
    ...['--server-address', `127.0.0.1:${port}`, '--node-ip', '127.0.0.1', '--node-port', port],
    ...['--tls-cert-file', join(certs, 'apiserver.crt'), '--tls-private-key-file', join(certs, 'apiserver.key')],
  )
}

const labels = ['container', 'namespace', 'pod'].map((name) => ({
  name,
  value: { container: 'container.name', namespace: 'pod.metadata.namespace', pod: 'pod.metadata.name' }[name],
}))

const ofContainers = (name: string, kind: string, value: string) => ({
  ...{ name, kind, value, labels },
  ...{ dimension: 'container', help: name },
})

const fromAnnotation = (resource: string, otherwise: string) => ({
  expression: `"kwok.x-k8s.io/usage-${resource}" in pod.metadata.annotations
    ? Quantity(pod.metadata.annotations["kwok.x-k8s.io/usage-${resource}"]) : Quantity("${otherwise}")`,
})

/** The content that kubelets serve under /metrics/resource. */
const metrics = [
  ofContainers('container_start_time_seconds', 'gauge', 'pod.SinceSecond()'),
  ofContainers('container_cpu_usage_seconds_total', 'counter', 'pod.CumulativeUsage("cpu", container.name)'),
  ofContainers('container_memory_working_set_bytes', 'gauge', 'pod.Usage("memory", container.name)'),
  {
    ...{ name: 'node_cpu_usage_seconds_total', kind: 'counter', value: 'node.CumulativeUsage("cpu")' },
    ...{ dimension: 'node', help: 'node_cpu_usage_seconds_total' },
  },
  {
    ...{ name: 'node_memory_working_set_bytes', kind: 'gauge', value: 'node.Usage("memory")' },
    ...{ dimension: 'node', help: 'node_memory_working_set_bytes' },
  },
]

const kwokConfig = [
  {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'ClusterResourceUsage',
    metadata: { name: 'usage' },
    spec: { usages: [{ usage: { cpu: fromAnnotation('cpu', '1m'), memory: fromAnnotation('memory', '1Mi') } }] },
  },
  {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Metric',
    metadata: { name: 'metrics-resource' },
    spec: { path: '/metrics/nodes/{nodeName}/metrics/resource', metrics },
  },
]
  .map((document) => JSON.stringify(document))
  .join('\n---\n')

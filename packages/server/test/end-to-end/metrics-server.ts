import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../../../../test/free-port.ts'
import { put } from '../manifests/render.ts'
import type { RealCluster } from './real-cluster.ts'

/** A real metrics-server that reads KWOK's kubelets, behind the API server as metrics.k8s.io. */
export async function startMetricsServer(
  tools: string,
  { plane, directory, kubectl }: RealCluster,
): Promise<{ stop: () => Promise<void> }> {
  const port = await freePort()
  const config = ['--kubeconfig', '--authentication-kubeconfig', '--authorization-kubeconfig'].flatMap((flag) => [
    flag,
    plane.config,
  ])
  const args = [
    ...config,
    ...['--secure-port', String(port), '--bind-address', '127.0.0.1', '--cert-dir', join(directory, 'metrics-server')],
    ...[
      '--kubelet-use-node-status-port',
      '--kubelet-insecure-tls',
      '--metric-resolution',
      '10s',
      '--kubelet-request-timeout',
      '5s',
    ],
  ]
  const child = spawn(join(tools, 'metrics-server'), args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  // Endpoints may not be on loopback; an external name may.
  const service = {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'metrics-server', namespace: 'kube-system' } },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  }
  const api = {
    ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1beta1.metrics.k8s.io' } },
    spec: {
      ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
      ...{ insecureSkipTLSVerify: true, service: { name: 'metrics-server', namespace: 'kube-system', port } },
    },
  }
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service, api] })
  await kubectl('apply', '-f', put(join(directory, 'metrics-server.json'), list))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { stop }
}

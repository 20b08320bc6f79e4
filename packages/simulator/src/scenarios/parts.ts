import type { ContainerScenario, WorkloadScenario } from '../scenario/scenario.ts'

type Amount = { readonly cpu?: number; readonly mib?: number }

/** Millicores and MiB: requests, usage at a load of 1, and limits. */
export function container(
  name: string,
  requests: Amount & { gpus?: number },
  uses: Required<Amount>,
  more: { limit?: Amount; kind?: ContainerScenario['kind']; seconds?: number } = {},
): ContainerScenario {
  const { limit, kind, seconds } = more
  return {
    name,
    request: { ...amounts(requests), ...(requests.gpus === undefined ? {} : { gpus: requests.gpus }) },
    uses: { cpuMillicores: uses.cpu, memoryMib: uses.mib },
    ...(limit ? { limit: amounts(limit) } : {}),
    ...(kind ? { kind } : {}),
    ...(seconds === undefined ? {} : { seconds }),
  }
}

function amounts({ cpu, mib }: Amount) {
  return { ...(cpu === undefined ? {} : { cpuMillicores: cpu }), ...(mib === undefined ? {} : { memoryMib: mib }) }
}

/** A sidecar as an app container, as many meshes and log shippers still use. */
export const proxy = () => container('proxy', { cpu: 100, mib: 128 }, { cpu: 12, mib: 60 })

/** A native sidecar. */
export const shipper = () => container('log-shipper', { cpu: 50, mib: 64 }, { cpu: 6, mib: 40 }, { kind: 'sidecar' })

/** Larger than the app, so that its size counts for the whole life of the pod. */
export const migration = () =>
  container(
    'migrate',
    { cpu: 1000, mib: 512 },
    { cpu: 600, mib: 300 },
    { kind: 'init', seconds: 25, limit: { mib: 1024 } },
  )

/** The DaemonSets of every cluster. */
export function nodeAgents(): WorkloadScenario[] {
  const daemon = (name: string, requests: Required<Amount>, uses: Required<Amount>): WorkloadScenario => ({
    namespace: 'kube-system',
    name,
    kind: 'DaemonSet',
    archetype: { kind: 'steady' },
    containers: [container(name, requests, uses)],
  })
  return [
    daemon('cni', { cpu: 50, mib: 64 }, { cpu: 8, mib: 45 }),
    daemon('kube-proxy', { cpu: 100, mib: 64 }, { cpu: 3, mib: 30 }),
    daemon('node-exporter', { cpu: 50, mib: 64 }, { cpu: 15, mib: 35 }),
    daemon('log-collector', { cpu: 150, mib: 256 }, { cpu: 60, mib: 170 }),
  ]
}

export function dns(): WorkloadScenario {
  return {
    namespace: 'kube-system',
    name: 'coredns',
    kind: 'Deployment',
    replicas: 2,
    archetype: { kind: 'web', swing: 0.3 },
    containers: [container('coredns', { cpu: 100, mib: 70 }, { cpu: 25, mib: 35 }, { limit: { mib: 170 } })],
  }
}

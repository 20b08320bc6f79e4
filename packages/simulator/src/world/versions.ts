import type { BalancerVersion, NodeVersion, PodVersion, VolumeVersion } from '@plimsoll/contract'
import { KIB_PER_GIB } from '@plimsoll/engine'
import type { Scenario } from '../scenario/scenario.ts'
import { attachLimits } from './attach-limits.ts'
import { hex } from './names.ts'
import { nodeLabels } from './node-labels.ts'
import { podLabels } from './pod-labels.ts'
import { dedicatedTaint } from './scheduling.ts'
import { seedOf } from '../random.ts'
import type { SimBalancer, SimNode, SimPod, SimVolume } from './state.ts'

export const KIB_PER_MIB = 1024
/** The space for pods on a boot disk of 100 GiB. */
const ephemeralKib = 90 * KIB_PER_GIB

export function nodeVersion(scenario: Scenario, node: SimNode, from: number): NodeVersion {
  const { spec } = node.pool
  const limits = attachLimits(scenario, spec.capacity.cpuMillicores)
  return {
    ref: node.id,
    uid: node.uid,
    from,
    name: node.name,
    createdAt: node.createdAt,
    providerId: providerId(scenario, node),
    instanceType: spec.instanceType,
    region: scenario.region,
    zone: node.zone,
    capacityType: spec.capacityType,
    os: spec.os ?? 'linux',
    arch: spec.arch ?? 'amd64',
    pool: spec.name,
    gpuProduct: spec.gpu?.product ?? '',
    gpuResource: spec.gpu?.resource ?? '',
    gpuCapacity: spec.gpu?.count ?? 0,
    gpuReplicas: spec.gpu?.replicas ?? (spec.gpu ? 1 : 0),
    cpuCapacityMillicores: spec.capacity.cpuMillicores,
    cpuAllocatableMillicores: spec.allocatable.cpuMillicores,
    memoryCapacityKib: spec.capacity.memoryMib * KIB_PER_MIB,
    memoryAllocatableKib: spec.allocatable.memoryMib * KIB_PER_MIB,
    podsAllocatable: spec.podsMax,
    labels: nodeLabels(scenario, node),
    ephemeralAllocatableKib: ephemeralKib,
    ...(spec.gpu ? { extendedAllocatable: { [spec.gpu.resource]: spec.gpu.count } } : {}),
    ...(limits ? { attachLimits: limits } : {}),
    ...(spec.dedicated ? { taints: [dedicatedTaint(spec.name)] } : {}),
  }
}

export function podVersion({ region }: Scenario, pod: SimPod, from: number): PodVersion {
  return {
    ref: pod.id,
    uid: pod.uid,
    from,
    name: pod.name,
    namespace: pod.workload.spec.namespace,
    nodeRef: pod.node?.id ?? 0,
    boundAt: pod.boundAt,
    phase: pod.phase,
    shape: pod.template.shape,
    workloadKind: pod.workload.spec.kind,
    workloadName: pod.workload.spec.name,
    labels: podLabels(region, pod),
  }
}

export function volumeVersion(volume: SimVolume, from: number): VolumeVersion {
  const { spec } = volume
  return {
    ref: volume.id,
    uid: volume.uid,
    from,
    name: `pvc-${volume.uid}`,
    namespace: spec.namespace,
    claim: volume.name,
    storageClass: spec.storageClass,
    diskType: spec.diskType ?? '',
    driver: spec.driver,
    zone: volume.zone,
    sizeKib: spec.sizeGib * KIB_PER_GIB,
    phase: spec.phase ?? 'bound',
    reclaimPolicy: spec.reclaimPolicy ?? 'Delete',
    ...(spec.usedGib === undefined ? {} : { usedKib: spec.usedGib * KIB_PER_GIB }),
    mountedPodRefs: [...volume.mounts].map(({ id }) => id),
  }
}

export function balancerVersion(balancer: SimBalancer, from: number): BalancerVersion {
  return {
    ref: balancer.id,
    uid: balancer.uid,
    from,
    name: balancer.name,
    namespace: balancer.spec.namespace,
    type: balancer.spec.type ?? '',
    readyPodRefs: [...balancer.ready].map(({ id }) => id),
  }
}

function providerId({ provider, clusterUid }: Scenario, { name, zone, uid, pool }: SimNode): string {
  switch (provider) {
    case 'aws':
      return `aws:///${zone}/i-0${uid.replaceAll('-', '').slice(0, 16)}`
    case 'gcp':
      return `gce://project-${hex(seedOf(clusterUid)).slice(0, 4)}/${zone}/${name}`
    case 'azure':
      return `azure:///subscriptions/${clusterUid}/resourceGroups/aks/providers/Microsoft.Compute/virtualMachineScaleSets/${pool.spec.name}/virtualMachines/${name}`
    case 'on-prem':
      return ''
  }
}

import type { Labels } from '@plimsoll/contract'
import type { PoolScenario, Scenario } from '../scenario/scenario.ts'
import { poolLabels } from './scheduling.ts'
import type { SimNode } from './state.ts'

/** The labels of the kubelet and of the cloud provider. */
export function nodeLabels(scenario: Scenario, node: SimNode): Labels {
  const { provider, region } = scenario
  const { name, zone, pool } = node
  const { spec } = pool
  const [os, arch] = [spec.os ?? 'linux', spec.arch ?? 'amd64']
  const { instanceType } = spec
  return {
    ...spec.labels,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': os,
    'kubernetes.io/arch': arch,
    'beta.kubernetes.io/os': os,
    'beta.kubernetes.io/arch': arch,
    ...named(instanceType, ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type']),
    ...named(region, ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']),
    ...named(zone, ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone', ...zoneLabels[provider]]),
    ...named(spec.gpu?.product ?? '', ['nvidia.com/gpu.product']),
    [poolLabels[provider]]: spec.name,
    ...byProvider[provider](scenario, spec),
  }
}

const named = (value: string, names: readonly string[]): Labels =>
  value === '' ? {} : Object.fromEntries(names.map((name) => [name, value]))

type Provider = Scenario['provider']

const zoneLabels: Record<Provider, readonly string[]> = {
  aws: ['topology.ebs.csi.aws.com/zone'],
  gcp: ['topology.gke.io/zone'],
  azure: ['topology.disk.csi.azure.com/zone'],
  'on-prem': [],
}

const byProvider: Record<Provider, (scenario: Scenario, pool: PoolScenario) => Labels> = {
  aws: eksLabels,
  gcp: gkeLabels,
  azure: aksLabels,
  'on-prem': () => ({}),
}

function eksLabels({ clusterUid, region }: Scenario, { capacityType }: PoolScenario): Labels {
  return {
    'eks.amazonaws.com/capacityType': capacityType === 'spot' ? 'SPOT' : 'ON_DEMAND',
    'eks.amazonaws.com/nodegroup-image': 'ami-0123456789abcdef0',
    'k8s.io/cloud-provider-aws': clusterUid.replaceAll('-', '').slice(0, 32),
    'topology.k8s.aws/zone-id': `${region.replaceAll('-', '').slice(0, 4)}-az1`,
  }
}

function gkeLabels(_scenario: Scenario, { instanceType, capacityType, podsMax, gpu }: PoolScenario): Labels {
  const isSpot = capacityType === 'spot'
  return {
    'cloud.google.com/gke-boot-disk': 'pd-balanced',
    'cloud.google.com/gke-container-runtime': 'containerd',
    'cloud.google.com/gke-max-pods-per-node': String(podsMax),
    'cloud.google.com/gke-os-distribution': 'cos',
    'cloud.google.com/gke-provisioning': isSpot ? 'spot' : 'standard',
    'cloud.google.com/machine-family': instanceType.split('-')[0] ?? '',
    ...(isSpot ? { 'cloud.google.com/gke-spot': 'true' } : {}),
    ...(gpu ? { 'cloud.google.com/gke-accelerator': gpu.product.toLowerCase() } : {}),
  }
}

function aksLabels({ name: cluster, region }: Scenario, { name, capacityType }: PoolScenario): Labels {
  return {
    agentpool: name,
    'kubernetes.azure.com/cluster': `MC_${cluster}_${region}`,
    'kubernetes.azure.com/mode': 'user',
    'kubernetes.azure.com/node-image-version': 'AKSUbuntu-2204gen2containerd-202506.30.0',
    'kubernetes.azure.com/os-sku': 'Ubuntu',
    'kubernetes.azure.com/role': 'agent',
    'kubernetes.azure.com/storageprofile': 'managed',
    ...(capacityType === 'spot' ? { 'kubernetes.azure.com/scalesetpriority': 'spot' } : {}),
  }
}

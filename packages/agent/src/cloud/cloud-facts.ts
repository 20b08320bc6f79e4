/** Facts about the machine from the labels and the provider id of the node. Empty: unknown. */
export type CloudFacts = {
  readonly instanceType: string
  readonly region: string
  readonly zone: string
  readonly capacityType: '' | 'spot' | 'on-demand'
  readonly pool: string
}

type Labels = Readonly<Record<string, string>>

export function cloudFacts(labels: Labels, providerId: string): CloudFacts {
  const zone = first(labels, zoneLabels) || zoneIn(providerId)
  return {
    instanceType: known(first(labels, typeLabels), noTypes),
    region: first(labels, regionLabels) || regionOf(zoneIn(providerId)),
    zone: known(zone, noZones),
    capacityType: capacityType(labels, providerId),
    pool: first(labels, poolLabels),
  }
}

const typeLabels = ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type']
const regionLabels = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']
const zoneLabels = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']

/** Names of distributions that appear in place of an instance type. */
const noTypes = new Set(['k3s', 'rke2', 'k0s', 'microk8s', 'unknown'])
/** Azure uses these values for machines without a zone. */
const noZones = new Set(['0', '1', '2'])

/** The pool name of an autoscaler wins over the name of the cloud, because the autoscaler scales that pool. */
const poolLabels = [
  'karpenter.sh/nodepool',
  'karpenter.sh/provisioner-name',
  'eks.amazonaws.com/nodegroup',
  'alpha.eksctl.io/nodegroup-name',
  'cloud.google.com/gke-nodepool',
  'kubernetes.azure.com/agentpool',
  'agentpool',
  'doks.digitalocean.com/node-pool',
  'oke.oraclecloud.com/pool',
  'k8s.scaleway.com/pool-name',
  'kubernetes.civo.com/civo-node-pool',
  'hcloud/node-group',
  'lke.linode.com/pool-id',
  'node.exoscale.net/nodepool-id',
  'kops.k8s.io/instancegroup',
  'node.plimsoll.dev/pool',
]

/** Each cloud has a label for spot machines, and some clouds also label on-demand machines. */
const capacityLabels: readonly { label: string; spot: RegExp; onDemand?: RegExp }[] = [
  { label: 'karpenter.sh/capacity-type', spot: /^spot$/, onDemand: /^(on-demand|reserved)$/ },
  { label: 'eks.amazonaws.com/capacityType', spot: /^SPOT$/, onDemand: /^(ON_DEMAND|CAPACITY_BLOCK)$/ },
  { label: 'cloud.google.com/gke-spot', spot: /^true$/ },
  { label: 'cloud.google.com/gke-preemptible', spot: /^true$/ },
  { label: 'cloud.google.com/gke-provisioning', spot: /^(spot|preemptible)$/, onDemand: /^standard$/ },
  { label: 'kubernetes.azure.com/scalesetpriority', spot: /^spot$/i, onDemand: /^regular$/i },
  { label: 'oci.oraclecloud.com/oke-is-preemptible', spot: /^true$/ },
  { label: 'node.kubernetes.io/lifecycle', spot: /^(spot|Ec2Spot)$/, onDemand: /^(normal|on-demand|OnDemand)$/ },
  { label: 'node-lifecycle', spot: /^(spot|Ec2Spot)$/i, onDemand: /^(normal|on-?demand)$/i },
]

/** On nodes with these labels, a machine without a capacity label is on-demand. */
const managedPoolLabels = [
  'cloud.google.com/gke-nodepool',
  'kubernetes.azure.com/agentpool',
  'doks.digitalocean.com/node-pool',
]

function capacityType(labels: Labels, providerId: string): CloudFacts['capacityType'] {
  for (const { label, spot, onDemand } of capacityLabels) {
    const value = labels[label] ?? ''
    if (spot.test(value)) return 'spot'
    if (onDemand?.test(value)) return 'on-demand'
  }
  const isOrdinary = managedPoolLabels.some((label) => label in labels) || providerId.startsWith('ocid1.')
  return isOrdinary ? 'on-demand' : ''
}

/** Reads the zone from `aws:///eu-west-1a/i-0abc` or `gce://project/europe-west1-b/name`. */
function zoneIn(providerId: string): string {
  return (
    /^aws:\/\/\/([a-z0-9-]+)\/i-/.exec(providerId)?.[1] ?? /^gce:\/\/[^/]+\/([a-z0-9-]+)\//.exec(providerId)?.[1] ?? ''
  )
}

/** `eu-west-1a` is in `eu-west-1`, `europe-west1-b` is in `europe-west1`. */
const regionOf = (zone: string) =>
  /^([a-z]{2}(?:-[a-z]+)+-\d)[a-z]$/.exec(zone)?.[1] ?? /^([a-z]+-[a-z]+\d+)-[a-z]$/.exec(zone)?.[1] ?? ''

const first = (labels: Labels, names: readonly string[]) => {
  const name = names.find((each) => (labels[each] ?? '') !== '')
  return name === undefined ? '' : (labels[name] ?? '')
}

const known = (value: string, not: ReadonlySet<string>) => (not.has(value) ? '' : value)

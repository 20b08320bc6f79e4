import { expect, test } from 'vitest'
import { cloudFacts } from './cloud-facts.ts'

const place = (region: string, zone: string, type: string) => ({
  'topology.kubernetes.io/region': region,
  'topology.kubernetes.io/zone': zone,
  'node.kubernetes.io/instance-type': type,
})

test.each([
  {
    name: 'a node group of EKS',
    labels: {
      ...place('eu-central-1', 'eu-central-1a', 'm5.xlarge'),
      'eks.amazonaws.com/nodegroup': 'general',
      'eks.amazonaws.com/capacityType': 'SPOT',
    },
    id: 'aws:///eu-central-1a/i-0abc',
    expected: ['m5.xlarge', 'eu-central-1', 'eu-central-1a', 'spot', 'general'],
  },
  {
    name: 'EKS with only the location of the node',
    labels: {},
    id: 'aws:///us-east-1b/i-0abc',
    expected: ['', 'us-east-1', 'us-east-1b', '', ''],
  },
  {
    name: 'a local zone, whose region is unknown',
    labels: {},
    id: 'aws:///us-west-2-lax-1a/i-0abc',
    expected: ['', '', 'us-west-2-lax-1a', '', ''],
  },
  {
    name: 'Karpenter, whose node pool takes precedence over the node group',
    labels: {
      ...place('us-west-2', 'us-west-2c', 'c7g.large'),
      'karpenter.sh/nodepool': 'batch',
      'karpenter.sh/capacity-type': 'reserved',
      'eks.amazonaws.com/nodegroup': 'other',
    },
    id: 'aws:///us-west-2c/i-0abc',
    expected: ['c7g.large', 'us-west-2', 'us-west-2c', 'on-demand', 'batch'],
  },
  {
    name: 'a spot pool of GKE',
    labels: {
      ...place('europe-west1', 'europe-west1-b', 'e2-standard-4'),
      'cloud.google.com/gke-nodepool': 'cheap',
      'cloud.google.com/gke-spot': 'true',
    },
    id: 'gce://project/europe-west1-b/gke-x',
    expected: ['e2-standard-4', 'europe-west1', 'europe-west1-b', 'spot', 'cheap'],
  },
  {
    name: 'GKE without location labels',
    labels: { 'cloud.google.com/gke-nodepool': 'main' },
    id: 'gce://project/europe-west1-b/gke-x',
    expected: ['', 'europe-west1', 'europe-west1-b', 'on-demand', 'main'],
  },
  {
    name: 'AKS without a zone',
    labels: { ...place('westeurope', '0', 'Standard_D4s_v5'), 'kubernetes.azure.com/agentpool': 'nodepool1' },
    id: 'azure:///subscriptions/0/resourceGroups/x/virtualMachines/y',
    expected: ['Standard_D4s_v5', 'westeurope', '', 'on-demand', 'nodepool1'],
  },
  {
    name: 'spot of AKS',
    labels: {
      ...place('westeurope', 'westeurope-1', 'Standard_D4s_v5'),
      'kubernetes.azure.com/agentpool': 'spot',
      'kubernetes.azure.com/scalesetpriority': 'spot',
    },
    id: '',
    expected: ['Standard_D4s_v5', 'westeurope', 'westeurope-1', 'spot', 'spot'],
  },
  {
    name: 'preemptible of OKE',
    labels: {
      ...place('eu-frankfurt-1', 'EU-FRANKFURT-1-AD-1', 'VM.Standard.E4.Flex'),
      'oci.oraclecloud.com/oke-is-preemptible': 'true',
    },
    id: 'ocid1.instance.oc1.eu-frankfurt-1.abc',
    expected: ['VM.Standard.E4.Flex', 'eu-frankfurt-1', 'EU-FRANKFURT-1-AD-1', 'spot', ''],
  },
  {
    name: 'DOKS',
    labels: {
      'topology.kubernetes.io/region': 'fra1',
      'node.kubernetes.io/instance-type': 's-4vcpu-8gb',
      'doks.digitalocean.com/node-pool': 'pool-1',
    },
    id: 'digitalocean://123',
    expected: ['s-4vcpu-8gb', 'fra1', '', 'on-demand', 'pool-1'],
  },
  {
    name: 'old label names',
    labels: { 'beta.kubernetes.io/instance-type': 'm4.large', 'failure-domain.beta.kubernetes.io/region': 'us-east-1' },
    id: '',
    expected: ['m4.large', 'us-east-1', '', '', ''],
  },
  {
    name: 'a self-hosted node',
    labels: { 'node.kubernetes.io/instance-type': 'k3s', 'node.plimsoll.dev/pool': 'rack-1' },
    id: 'k3s://machine',
    expected: ['', '', '', '', 'rack-1'],
  },
])('$name', ({ labels, id, expected }) => {
  const { instanceType, region, zone, capacityType, pool } = cloudFacts(labels, id)
  expect([instanceType, region, zone, capacityType, pool]).toEqual(expected)
})

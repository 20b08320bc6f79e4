/** Spellings without blanks, dashes and dots. A provider's own name is always one of its spellings. */
const spellings: Record<string, string[]> = {
  aws: ['eks', 'ec2', 'amazon', 'amazonaws', 'amazonwebservices', 'amazoneks'],
  gcp: ['gke', 'gce', 'google', 'googlecloud', 'googlecloudplatform', 'googlekubernetesengine'],
  azure: ['aks', 'microsoft', 'microsoftazure', 'azurekubernetesservice'],
  oci: ['oke', 'oracle', 'oraclecloud', 'oraclecloudinfrastructure'],
  digitalocean: ['do', 'doks'],
  hetzner: ['hcloud', 'hetznercloud'],
  ovh: ['ovhcloud', 'ovhpubliccloud'],
  scaleway: ['scw', 'kapsule'],
  upcloud: ['uks'],
  civo: [],
  exoscale: ['sks'],
  ionos: ['ionoscloud', 'profitbricks'],
  gcore: ['gcorelabs'],
  stackit: ['ske'],
  infomaniak: [],
  leafcloud: [],
  gridscale: [],
  plusserver: [],
  cyso: ['cysocloud', 'fuga'],
  onprem: ['onpremise', 'onpremises', 'baremetal', 'selfhosted', 'vsphere', 'kind', 'minikube', 'k3d'],
}

/** By the names that the book has them under. */
export const knownProviders: readonly string[] = Object.keys(spellings)

const providerBySpelling = new Map(
  Object.entries(spellings).flatMap(([provider, names]) => [provider, ...names].map((name) => [name, provider])),
)

/** 'Amazon Web Services', 'eks' and the node's 'aws:///us-east-1a/i-0abc' are all 'aws'. */
export function findProvider(name: string): string | undefined {
  return providerBySpelling.get(plainName(name).replace(/[\s._-]+/g, ''))
}

/** A name we do not know stays as it is, in lower case: it is looked up like any other and falls back to the default rates. */
export const canonicalProvider = (name: string) => findProvider(name) ?? plainName(name)

const plainName = (name: string) => (name.split('://')[0] ?? '').trim().toLowerCase()

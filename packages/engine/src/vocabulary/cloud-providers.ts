/** By ID in the price tables, in display order. A new provider starts here: see CONTRIBUTING.md. */
const titles = {
  aws: 'AWS',
  gcp: 'GCP',
  azure: 'Azure',
  oci: 'Oracle Cloud',
  digitalocean: 'DigitalOcean',
  hetzner: 'Hetzner',
  ovh: 'OVHcloud',
  scaleway: 'Scaleway',
  upcloud: 'UpCloud',
  civo: 'Civo',
  exoscale: 'Exoscale',
  ionos: 'IONOS',
  gcore: 'Gcore',
  stackit: 'STACKIT',
  infomaniak: 'Infomaniak',
  leafcloud: 'Leafcloud',
  gridscale: 'gridscale',
  plusserver: 'plusserver',
  cyso: 'Cyso',
  onprem: 'on-premises',
} as const satisfies Record<string, string>

export type CloudProvider = keyof typeof titles

export const CLOUD_PROVIDERS = Object.keys(titles) as readonly CloudProvider[]

/** An unknown provider is shown as reported. */
export const providerTitle = (id: string): string => (Object.hasOwn(titles, id) ? titles[id as CloudProvider] : id)

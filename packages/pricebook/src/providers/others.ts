import type { Provider } from './provider.ts'

/** Providers that differ only in their names and default disks. */
export const others: readonly Provider[] = [
  {
    id: 'oci',
    aliases: ['oke', 'oracle', 'oraclecloud', 'oraclecloudinfrastructure'],
    machines: { family: (type) => type, hasFlexibleShapes: true },
    disks: { byStorageClass: { oci: 'block-volume', 'oci-bv': 'block-volume' } },
    controlPlane: { service: 'oke' },
  },
  { id: 'digitalocean', aliases: ['do', 'doks'] },
  {
    id: 'hetzner',
    aliases: ['hcloud', 'hetznercloud'],
    disks: { byStorageClass: { 'hcloud-volumes': 'block-storage' } },
  },
  { id: 'ovh', aliases: ['ovhcloud', 'ovhpubliccloud'] },
  {
    id: 'scaleway',
    aliases: ['scw', 'kapsule'],
    disks: { byStorageClass: { 'scw-bssd': 'block-storage', 'sbs-default': 'block-storage' } },
  },
  { id: 'upcloud', aliases: ['uks'] },
  { id: 'civo', aliases: [], disks: { byStorageClass: { 'civo-volume': 'block-storage' } } },
  { id: 'exoscale', aliases: ['sks'], disks: { byStorageClass: { 'exoscale-sbs': 'block-storage' } } },
  { id: 'ionos', aliases: ['ionoscloud', 'profitbricks'] },
  { id: 'gcore', aliases: ['gcorelabs'] },
  { id: 'stackit', aliases: ['ske'] },
  { id: 'infomaniak', aliases: [] },
  { id: 'leafcloud', aliases: [] },
  { id: 'gridscale', aliases: [] },
  { id: 'plusserver', aliases: [] },
  { id: 'cyso', aliases: ['cysocloud', 'fuga'] },
  {
    id: 'onprem',
    aliases: ['onpremise', 'onpremises', 'baremetal', 'selfhosted', 'vsphere', 'kind', 'minikube', 'k3d'],
    controlPlane: { service: 'managed', isSelfManaged: true },
  },
]

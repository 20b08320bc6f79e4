import type { CustomMachine, Provider } from './provider.ts'

export const gcp: Provider = {
  id: 'gcp',
  aliases: ['gke', 'gce', 'google', 'googlecloud', 'googlecloudplatform', 'googlekubernetesengine'],
  regions: { canonical: (name) => name.replace(/^([a-z]+-[a-z]+\d+)-(?:ai\d+)?[a-z]$/, '$1') },
  machines: { family: (type) => type.split('-')[0] ?? type, custom: customMachine, sellsGpusApart: true },
  disks: {
    byStorageClass: {
      standard: 'pd-standard',
      'standard-rwo': 'pd-balanced',
      'premium-rwo': 'pd-ssd',
      'standard-rwo-regional': 'pd-balanced-regional',
      'premium-rwo-regional': 'pd-ssd-regional',
    },
    drivers: ['pd.csi.storage.gke.io', 'filestore.csi.storage.gke.io'],
  },
  controlPlane: { service: 'gke', tier: 'standard' },
  // Nodes of Autopilot have these names. Nodes with GPUs are billed as instances.
  serverless: ({ name, gpuCapacity }) =>
    name.startsWith('gk3-') && gpuCapacity === 0 ? 'gke-autopilot-general' : undefined,
}

/** custom-4-16384 (an n1), n2-custom-8-32768, n2-custom-8-131072-ext; the last number is MiB. */
function customMachine(instanceType: string): CustomMachine | undefined {
  const match = /^(?:([a-z]\d+[a-z]?)-)?custom-(\d{1,4})-(\d{1,8})(-ext)?$/i.exec(instanceType)
  if (!match) return undefined
  const [, family = 'n1', vcpu = '', mib = '', extended] = match
  return { family, vcpu: Number(vcpu), memoryGib: Number(mib) / 1024, hasExtendedMemory: extended !== undefined }
}

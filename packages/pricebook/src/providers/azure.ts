import type { Provider } from './provider.ts'

export const azure: Provider = {
  id: 'azure',
  aliases: ['aks', 'microsoft', 'microsoftazure', 'azurekubernetesservice'],
  regions: { canonical: regionOf },
  machines: {
    // 'D#as_v5' of 'Standard_D4as_v5'.
    family: (type) => type.replace(/^(?:Standard|Basic)_/i, '').replace(/^([a-z]+)\d+(?:-\d+)?/i, '$1#'),
    // Savings plans are listed without digits: 'Das_v' of 'Standard_D4as_v5'.
  },
  disks: {
    byStorageClass: {
      default: 'StandardSSD_LRS',
      managed: 'StandardSSD_LRS',
      'managed-csi': 'StandardSSD_LRS',
      'managed-premium': 'Premium_LRS',
      'managed-csi-premium': 'Premium_LRS',
    },
    drivers: ['disk.csi.azure.com', 'file.csi.azure.com'],
    areSoldInSizes: true,
    snapshotClass: 'snapshot-Standard_LRS',
  },
  controlPlane: { service: 'aks' },
}

/** AKS names zones 'westeurope-1'; the portal writes '(Europe) West Europe'. */
function regionOf(name: string): string {
  const region = name.replace(/^([a-z]+\d?)-\d$/, '$1')
  return region.replace(/^\([^)]*\)/, '').replace(/[^a-z0-9]+/g, '')
}

/** Classes that clusters come with, by the disk they stand for. A class of one's own is known by its parameters, not its name. */
const disks: Record<string, [string, string][]> = {
  aws: [
    ['ebs-gp2', 'gp2'],
    ['ebs-gp3', 'gp3'],
    ['gp2-csi', 'gp2'],
    ['gp3-csi', 'gp3'],
    ['magnetic', 'standard'],
  ],
  gcp: [
    ['standard', 'pd-standard'],
    ['standard-rwo', 'pd-balanced'],
    ['premium-rwo', 'pd-ssd'],
    ['standard-rwo-regional', 'pd-balanced-regional'],
    ['premium-rwo-regional', 'pd-ssd-regional'],
  ],
  azure: [
    ['default', 'StandardSSD_LRS'],
    ['managed', 'StandardSSD_LRS'],
    ['managed-csi', 'StandardSSD_LRS'],
    ['managed-premium', 'Premium_LRS'],
    ['managed-csi-premium', 'Premium_LRS'],
  ],
  oci: [
    ['oci', 'block-volume'],
    ['oci-bv', 'block-volume'],
  ],
  hetzner: [['hcloud-volumes', 'block-storage']],
  civo: [['civo-volume', 'block-storage']],
  exoscale: [['exoscale-sbs', 'block-storage']],
  scaleway: [
    ['scw-bssd', 'block-storage'],
    ['sbs-default', 'block-storage'],
  ],
}

const diskByName = new Map(
  Object.entries(disks).flatMap(([provider, names]) =>
    names.map(([name, disk]) => [`${provider}|${name}`, disk] as const),
  ),
)

/** The name in the tables; any other stays as it is. `provider` is canonical. */
export function canonicalStorageClass(provider: string, name: string): string {
  const trimmed = name.trim()
  return diskByName.get(`${provider}|${trimmed.toLowerCase()}`) ?? trimmed
}

import { providerOf } from '../providers/index.ts'

/** The disk type of a storage class in the tables; an unknown name stays unchanged. `provider` is canonical. */
export function canonicalStorageClass(provider: string, name: string): string {
  const trimmed = name.trim()
  const disks = providerOf(provider).disks?.byStorageClass ?? {}
  const key = trimmed.toLowerCase()
  return (Object.hasOwn(disks, key) ? disks[key] : undefined) ?? trimmed
}

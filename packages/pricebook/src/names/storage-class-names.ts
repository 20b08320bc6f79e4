import { providerOf } from '../providers/index.ts'

/** The disk behind a storage class, as the tables name it; any other name stays as it is. `provider` is canonical. */
export function canonicalStorageClass(provider: string, name: string): string {
  const trimmed = name.trim()
  const disks = providerOf(provider).disks?.byStorageClass ?? {}
  const key = trimmed.toLowerCase()
  return (Object.hasOwn(disks, key) ? disks[key] : undefined) ?? trimmed
}

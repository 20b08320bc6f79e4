import type { BatchReader, BatchWriter } from '@plimsoll/contract'
import type { Assets } from './assets.ts'

/** Namespaces, volumes and balancers in the agent's own columns. Pods have their numbers by now. */
export function writeAssets(writer: BatchWriter, assets: Assets, numbers: Map<string, number>): void {
  const users = (uids: readonly string[]) => uids.flatMap((uid) => numbers.get(uid) ?? [])
  for (const { uid, versions, endedAt } of assets.namespaces.byUid.values()) {
    const ref = numberOf(numbers, uid)
    for (const { facts } of versions) writer.addNamespace({ ...facts, ref })
    if (Number.isFinite(endedAt)) writer.addEnd({ ref, at: endedAt })
  }
  for (const { uid, versions, endedAt } of assets.volumes.values()) {
    const ref = numberOf(numbers, uid)
    for (const version of versions) writer.addVolume({ ...version.facts, ref, mountedPodRefs: users(version.users) })
    if (Number.isFinite(endedAt)) writer.addEnd({ ref, at: endedAt })
  }
  for (const { uid, versions, endedAt } of assets.balancers.values()) {
    const ref = numberOf(numbers, uid)
    for (const version of versions) writer.addBalancer({ ...version.facts, ref, readyPodRefs: users(version.users) })
    if (Number.isFinite(endedAt)) writer.addEnd({ ref, at: endedAt })
  }
}

export function readAssets(reader: BatchReader, assets: Assets, uids: Map<number, string>): void {
  const users = (refs: readonly number[]) => refs.flatMap((ref) => uids.get(ref) ?? [])
  for (const namespace of reader.namespaces()) {
    uids.set(namespace.ref, namespace.uid)
    assets.namespaces.add(namespace)
  }
  for (const volume of reader.volumes()) {
    uids.set(volume.ref, volume.uid)
    assets.addVolume(volume, users(volume.mountedPodRefs))
  }
  for (const balancer of reader.balancers()) {
    uids.set(balancer.ref, balancer.uid)
    assets.addBalancer(balancer, users(balancer.readyPodRefs))
  }
}

export function numberOf(numbers: Map<string, number>, uid: string): number {
  const number = numbers.get(uid) ?? numbers.size + 1
  numbers.set(uid, number)
  return number
}

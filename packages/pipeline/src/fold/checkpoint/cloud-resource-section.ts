import { BatchReader, BatchWriter, type Batch } from '@plimsoll/contract'
import { chunks } from '../chunks.ts'
import type { BalancerRecord, VolumeRecord } from '../cloud-resources.ts'
import type { NamespaceRecord } from '../namespaces.ts'
import { section, type Numbers } from './section.ts'

const objectsPerPart = 10_000

const noAgent = { version: '', kubernetes_version: '', usage_source: 'none' as const }

/**
 * Namespaces, volumes and load balancers, in the column format of the agent like nodes and pods. Pods already have
 * their numbers.
 */
export const cloudResourceSection = section<Batch>(
  'assets',
  function* ({ cloudResources }, numbers) {
    const all = [
      ...cloudResources.namespaces.byUid.values(),
      ...cloudResources.volumes.values(),
      ...cloudResources.balancers.values(),
    ]
    for (const objects of chunks(all, objectsPerPart)) {
      const writer = new BatchWriter()
      for (const object of objects) {
        const ref = numbers.of(object.uid)
        writeVersions(writer, object, ref, numbers)
        if (Number.isFinite(object.endedAt)) writer.addEnd({ ref, at: object.endedAt })
      }
      yield writer.finish(noAgent, 0)
    }
  },
  ({ cloudResources }, part, numbers) => {
    const reader = new BatchReader(part)
    const users = (refs: readonly number[]) => refs.map((ref) => numbers.uid(ref))
    for (const object of [...reader.namespaces(), ...reader.volumes(), ...reader.balancers()]) {
      numbers.note(object.ref, object.uid)
    }
    for (const namespace of reader.namespaces()) cloudResources.namespaces.add(namespace)
    for (const volume of reader.volumes()) cloudResources.addVolume(volume, users(volume.mountedPodRefs))
    for (const balancer of reader.balancers()) cloudResources.addBalancer(balancer, users(balancer.readyPodRefs))
    for (const { ref, at } of reader.ends()) cloudResources.end(numbers.uid(ref), at)
  },
)

type Saved = NamespaceRecord | VolumeRecord | BalancerRecord

function writeVersions(writer: BatchWriter, object: Saved, ref: number, numbers: Numbers): void {
  const users = (uids: readonly string[]) => uids.flatMap((uid) => numbers.find(uid) ?? [])
  if (!('kind' in object)) {
    for (const { facts } of object.versions) writer.addNamespace({ ...facts, ref })
  } else if (object.kind === 'volume') {
    for (const { facts, users: uids } of object.versions)
      writer.addVolume({ ...facts, ref, mountedPodRefs: users(uids) })
  } else {
    for (const { facts, users: uids } of object.versions)
      writer.addBalancer({ ...facts, ref, readyPodRefs: users(uids) })
  }
}

/** Loaded last, because loading the other sections marks them as changed. */
export const cloudResourceChangeSection = section<{ changedFrom: number | null }>(
  'asset-changes',
  function* ({ cloudResources: { changedFrom } }) {
    yield { changedFrom: Number.isFinite(changedFrom) ? changedFrom : null }
  },
  ({ cloudResources }, { changedFrom }) => {
    cloudResources.takeChange()
    if (changedFrom !== null) cloudResources.noteChange(changedFrom)
  },
)

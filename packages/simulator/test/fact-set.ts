import type { EncodedBatch } from '../src/index.ts'
import { decodeBatch, recordsOf } from '../src/index.ts'

/**
 * The facts of batches, independent of splits, numbers, order and repetitions: objects by uid instead of ref. Readers
 * may depend only on these facts.
 */
export function factSet(batches: readonly EncodedBatch[]): string[] {
  const decoded = batches.map(decodeBatch).sort((a, b) => a.seq - b.seq)
  const uids = new Map<string, string>()
  const facts = new Set<string>()
  for (const each of decoded) {
    const { namespaces, nodes, pods, volumes, balancers, objects, ends, events, usage } = recordsOf(each)
    for (const { ref, uid } of [...namespaces, ...nodes, ...pods, ...volumes, ...balancers, ...objects])
      uids.set(`${each.epoch}/${ref}`, uid)
    const uidOf = (ref: number) => {
      const uid = ref === 0 ? '' : uids.get(`${each.epoch}/${ref}`)
      if (uid === undefined) throw new Error(`${each.epoch} says something of ${ref} without having said what it is`)
      return uid
    }
    const uidsOf = (refs: readonly number[]) => refs.map(uidOf).sort()
    const add = (fact: object) => facts.add(JSON.stringify(fact))
    namespaces.forEach(({ ref: _ref, ...namespace }) => add({ namespace }))
    nodes.forEach(({ ref: _ref, ...node }) => add({ node }))
    pods.forEach(({ ref: _ref, nodeRef, ...pod }) => add({ pod, node: uidOf(nodeRef) }))
    volumes.forEach(({ ref: _ref, mountedPodRefs, ...volume }) => add({ volume, by: uidsOf(mountedPodRefs) }))
    balancers.forEach(({ ref: _ref, readyPodRefs, ...balancer }) => add({ balancer, by: uidsOf(readyPodRefs) }))
    objects.forEach(({ ref: _ref, ...object }) => add({ object }))
    ends.forEach(({ ref, at }) => add({ end: uidOf(ref), at }))
    events.forEach(({ podRef, ...event }) => add({ event, of: uidOf(podRef) }))
    usage.forEach(({ nodeRef, minute, samples }) =>
      add({ minute, of: uidOf(nodeRef), samples: samples.map(({ podRef, ...sample }) => [uidOf(podRef), sample]) }),
    )
  }
  return [...facts].sort()
}

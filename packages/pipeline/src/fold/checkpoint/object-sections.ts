import { BatchReader, BatchWriter, type Batch } from '@plimsoll/contract'
import { chunks } from '../chunks.ts'
import { section } from './section.ts'

const objectsPerPart = 10_000

const noAgent = { version: '', kubernetes_version: '', usage_source: 'none' as const }

/** Objects are saved in the column format of the agent: it is small, and one reader and one writer suffice. */
export const nodeSection = section<Batch>(
  'nodes',
  function* ({ inventory }, numbers) {
    for (const nodes of chunks(inventory.nodes.values(), objectsPerPart)) {
      const writer = new BatchWriter()
      for (const node of nodes) {
        const ref = numbers.of(node.uid)
        for (const { facts } of node.versions) writer.addNode({ ...facts, ref })
        if (Number.isFinite(node.endedAt)) writer.addEnd({ ref, at: node.endedAt })
      }
      yield writer.finish(noAgent, 0)
    }
  },
  ({ inventory }, part, numbers) => {
    const reader = new BatchReader(part)
    for (const node of reader.nodes()) {
      numbers.note(node.ref, node.uid)
      inventory.addNode(node)
    }
    for (const { ref, at } of reader.ends()) inventory.end(numbers.uid(ref), at)
  },
)

export const podSection = section<Batch>(
  'pods',
  function* ({ inventory }, numbers) {
    for (const pods of chunks(inventory.pods.values(), objectsPerPart)) {
      const writer = new BatchWriter()
      for (const pod of pods) {
        const ref = numbers.of(pod.uid)
        const nodeRef = pod.node ? numbers.of(pod.node.uid) : 0
        for (const { facts } of pod.versions) writer.addPod({ ...facts, ref, nodeRef })
        if (Number.isFinite(pod.endedAt)) writer.addEnd({ ref, at: pod.endedAt })
      }
      yield writer.finish(noAgent, 0)
    }
  },
  ({ inventory }, part, numbers) => {
    const reader = new BatchReader(part)
    for (const pod of reader.pods()) {
      numbers.note(pod.ref, pod.uid)
      inventory.addPod(pod, inventory.nodes.get(numbers.uid(pod.nodeRef)))
    }
    for (const { ref, at } of reader.ends()) inventory.end(numbers.uid(ref), at)
  },
)

import { BatchReader, BatchWriter, type Batch } from '@plimsoll/contract'
import { chunks } from '../chunks.ts'
import { section } from './section.ts'

const objectsPerPart = 10_000

const noAgent = { version: '', kubernetes_version: '', usage_source: 'none' as const }

/** Autoscalers, budgets, quotas and similar objects, in the column format of the agent. */
export const clusterObjectSection = section<Batch>(
  'cluster-objects',
  function* ({ objects }, numbers) {
    for (const some of chunks(objects.byUid.values(), objectsPerPart)) {
      const writer = new BatchWriter()
      for (const { newest, endedAt } of some) {
        const ref = numbers.of(newest.uid)
        writer.addObject({ ...newest, ref })
        if (Number.isFinite(endedAt)) writer.addEnd({ ref, at: endedAt })
      }
      yield writer.finish(noAgent, 0)
    }
  },
  ({ objects }, part, numbers) => {
    const reader = new BatchReader(part)
    for (const object of reader.objects()) {
      numbers.note(object.ref, object.uid)
      objects.add(object)
    }
    for (const { ref, at } of reader.ends()) objects.end(numbers.uid(ref), at)
  },
)

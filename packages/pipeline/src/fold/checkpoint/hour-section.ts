import { RESOURCES } from '@plimsoll/engine'
import { chunks } from '../chunks.ts'
import { emptyHour } from '../fold-state.ts'
import { ownerOf, type NodeRow, type WorkloadRow } from '../hour-sums.ts'
import { MinuteMask } from '../minute-mask.ts'
import { section } from './section.ts'

const rowsPerPart = 5_000

/** An hour has many parts: first its minute masks, then its rows. */
type SavedHour = {
  hour: number
  bridgedMinutes?: number
  masks?: [uid: string, low: number, high: number][]
  workloads?: WorkloadRow[]
  nodes?: NodeRow[]
}

export const hourSection = section<SavedHour>(
  'hours',
  function* ({ hours }) {
    for (const [hour, { masks, added, bridgedMinutes }] of hours) {
      yield { hour, bridgedMinutes, masks: [...masks].map(([uid, mask]) => [uid, ...mask.toJSON()]) }
      for (const workloads of chunks(added.workloads, rowsPerPart)) yield { hour, workloads }
      for (const nodes of chunks(added.nodes.values(), rowsPerPart)) yield { hour, nodes }
    }
  },
  ({ hours }, { hour, bridgedMinutes, masks = [], workloads = [], nodes = [] }) => {
    const state = hours.get(hour) ?? emptyHour()
    hours.set(hour, state)
    state.bridgedMinutes = bridgedMinutes ?? state.bridgedMinutes
    for (const [uid, low, high] of masks) state.masks.set(uid, new MinuteMask(low, high))
    for (const row of workloads) Object.assign(state.added.workload(ownerOf(row), row.classKey), withUnmeasured(row))
    for (const row of nodes) Object.assign(state.added.node(row.nodeUid, row.classKey), withUnmeasured(row))
  },
)

/**
 * Checkpoints of earlier versions hold no unmeasured time. GPU usage was not measured, as in the stored hours of those
 * versions.
 */
function withUnmeasured<Row extends WorkloadRow | NodeRow>(row: Row): Row {
  for (const resource of RESOURCES) {
    const sum: { used: number; unmeasured?: number } = row.use[resource]
    sum.unmeasured ??= resource === 'gpu' ? sum.used : 0
  }
  return row
}

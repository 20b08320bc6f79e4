import { checkpointParts, restoreState, type CheckpointPart } from '../src/fold/checkpoint.ts'
import type { FoldState } from '../src/fold/fold-state.ts'
import type { ClassifyNode } from '../src/fold/inventory.ts'
import type { ClusterPlace } from '../src/prices/node-class.ts'

/** As the server stores a state, without compression: every part is converted to JSON. */
export const saveCheckpoint = (state: FoldState): string => JSON.stringify([...checkpointParts(state)])

export function loadCheckpoint(saved: string, classify: ClassifyNode, place?: ClusterPlace): FoldState {
  const parts = JSON.parse(saved) as CheckpointPart[]
  const partsOf = (name: string) => parts.flatMap(({ section, part }) => (section === name ? [part] : []))
  return restoreState(partsOf, classify, place)
}

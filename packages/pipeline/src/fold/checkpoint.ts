import type { ClusterPlace } from '../prices/node-class.ts'
import { cloudResourceChangeSection, cloudResourceSection } from './checkpoint/cloud-resource-section.ts'
import { clusterObjectSection } from './checkpoint/cluster-object-section.ts'
import { clockSection } from './checkpoint/clock-section.ts'
import { epochSection } from './checkpoint/epoch-section.ts'
import { hourSection } from './checkpoint/hour-section.ts'
import { nodeSection, podSection } from './checkpoint/object-sections.ts'
import { missedSection } from './checkpoint/missed-section.ts'
import { Numbers, type Section } from './checkpoint/section.ts'
import { usageSection } from './checkpoint/usage-section.ts'
import { emptyFoldState, type FoldState } from './fold-state.ts'
import type { ClassifyNode } from './inventory.ts'

/**
 * Each part of the state has a section. Sections are loaded in this order, whatever the order of writing: epochs and
 * pods refer to earlier objects, and cloud resources to pods. An older checkpoint may lack a section. Add a new section
 * where no earlier section needs it.
 */
const sections: readonly Section[] = [
  nodeSection,
  podSection,
  cloudResourceSection,
  clusterObjectSection,
  epochSection,
  hourSection,
  clockSection,
  usageSection,
  cloudResourceChangeSection,
  missedSection,
]

/** One part of a section. A section of a large cluster has many parts, so that only one part is in memory at a time. */
export type CheckpointPart = { section: string; part: unknown }

/** Everything that folding the next batch depends on. */
export function* checkpointParts(state: FoldState): Generator<CheckpointPart> {
  const numbers = new Numbers()
  for (const { name, save } of sections) for (const part of save(state, numbers)) yield { section: name, part }
}

export function restoreState(
  partsOf: (section: string) => Iterable<unknown>,
  classify: ClassifyNode,
  place?: ClusterPlace,
): FoldState {
  const state = emptyFoldState(classify, place)
  const numbers = new Numbers()
  for (const { name, load } of sections) for (const part of partsOf(name)) load(state, part, numbers)
  return state
}

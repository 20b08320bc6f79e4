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
 * Each part of the state has a section. They are read in this order, whatever the order in which they were written: epochs
 * and pods refer to objects before them, and assets to pods. A state that lacks a section, because it was written before there was one, is whole
 * without it; so new parts are added where nothing before them needs them.
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

/** One part of a section. A section of a large cluster has many, so that no more than one is ever whole in memory. */
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

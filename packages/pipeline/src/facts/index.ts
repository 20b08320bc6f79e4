export { type History, historyQuestions, type LastUse, type NamespacePeak, PEAK_DAYS, type Scaled } from './history.ts'
export { type FindLiveShape, liveShapes } from './live-shape.ts'
export type { Packed } from './node-facts.ts'
export type { NodeVerdict } from './node-verdicts.ts'
export { packSnapshot } from './pack-snapshot.ts'
export { stuckPods } from './stuck-pods.ts'
export type {
  ContainerName,
  HourFigures,
  JobContainer,
  PodMean,
  StoredSlots,
  UsageBatch,
  UsageReader,
} from './usage-reader.ts'

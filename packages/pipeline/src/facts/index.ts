export { type History, historyQuestions, type LastUse, type NamespacePeak, PEAK_DAYS, type Scaled } from './history.ts'
export { largestNodeOf } from './largest-node.ts'
export { type FindLiveShape, liveShapes } from './live-shape.ts'
export { newestOf, podsByWorkload } from './living-pods.ts'
export { boundsByNamespace, quotaLeftByNamespace } from './namespace-bounds.ts'
export type { Packed, RoomOf } from './node-facts.ts'
export type { NodeVerdict } from './node-verdicts.ts'
export { packSnapshot } from './pack-snapshot.ts'
export { lastCronPods } from './resting-cron-jobs.ts'
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
export { roomFacts } from './with-room.ts'

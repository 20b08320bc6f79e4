export {
  decodeBatch,
  type Delta,
  encodeBatch,
  type EncodedBatch,
  type EpochOptions,
  EpochWriter,
  type Living,
  type LoggedBatch,
  type MinuteFacts,
  minuteOf,
  type NodeMinute,
  recordsOf,
  sendBatch,
  type SendResult,
  type Target,
} from '@plimsoll/agent'
export { Random } from './random.ts'
export { BadScenario } from './scenario/checks.ts'
export { parseScenario } from './scenario/parse-scenario.ts'
export type {
  Archetype,
  BalancerScenario,
  ContainerScenario,
  Happening,
  PoolScenario,
  Scenario,
  VolumeScenario,
  WorkloadScenario,
} from './scenario/scenario.ts'
export { openWorld, type World } from './world/world.ts'

export { Inventory } from './batches/inventory.ts'
export { historyBatches, type HistoryOptions } from './batches/history-batches.ts'
export { SimulatedAgent, type AgentOptions } from './batches/simulated-agent.ts'

export { addSecondAgent, changeEpoch, resplit, skewClock } from './misbehave/agents.ts'
export { corruptBytes, truncateBodies, truncatePart } from './misbehave/damage.ts'
export { dropMinutes, dropSome, duplicate, reorder } from './misbehave/delivery.ts'
export { rewriteEpoch, type RewriteOptions } from './misbehave/rewrite-epoch.ts'

export { runAgent, type RunOptions, type RunReport } from './send/run-agent.ts'

export { awsProduction } from './scenarios/aws-production.ts'
export { azureOffice } from './scenarios/azure-office.ts'
export { gcpPlatform } from './scenarios/gcp-platform.ts'
export { fullSize, largeScenario, type LargeOptions } from './scenarios/large-scenario.ts'

export { DemoApi } from './demo/api.ts'
export {
  chaptersOf,
  findIncident,
  play,
  sendEarlierDays,
  sendUntil,
  untilAllKnown,
  type Stage,
} from './demo/chapters.ts'
export { Fleet, type Member } from './demo/fleet.ts'

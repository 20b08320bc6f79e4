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
export type { Living, MinuteFacts, NodeMinute } from './world/facts.ts'
export { openWorld, type World } from './world/world.ts'

export { decodeBatch, encodeBatch, type EncodedBatch, type LoggedBatch } from './batches/encode.ts'
export { EpochWriter, type Delta, type EpochOptions } from './batches/epoch-writer.ts'
export { Inventory } from './batches/inventory.ts'
export { minuteOf, recordsOf } from './batches/records.ts'
export { tellHistory, type HistoryOptions } from './batches/history-teller.ts'
export { SimulatedAgent, type AgentOptions } from './batches/simulated-agent.ts'

export { addSecondAgent, changeEpoch, resplit, skewClock } from './misbehave/agents.ts'
export { corruptBytes, truncateBodies, truncatePart } from './misbehave/damage.ts'
export { dropMinutes, dropSome, duplicate, reorder } from './misbehave/delivery.ts'
export { rewriteEpoch, type RewriteOptions } from './misbehave/rewrite-epoch.ts'

export { runAgent, type RunOptions, type RunReport } from './send/run-agent.ts'
export { sendBatch, type SendResult, type Target } from './send/send-batch.ts'
export { Truth, type Seen } from './truth.ts'

export { awsProduction } from './scenarios/aws-production.ts'
export { azureOffice } from './scenarios/azure-office.ts'
export { gcpPlatform } from './scenarios/gcp-platform.ts'
export { fullSize, largeScenario, type LargeOptions } from './scenarios/large-scenario.ts'

export { DemoApi } from './demo/api.ts'
export { chaptersOf, play, type Stage } from './demo/chapters.ts'
export { Fleet } from './demo/fleet.ts'

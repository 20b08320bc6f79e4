export { noFacts, type Living, type MinuteFacts, type NodeMinute } from './facts.ts'

export { decodeBatch, digestOf, encodeBatch, type EncodedBatch, type LoggedBatch } from './shape/encode.ts'
export { EpochWriter, type Delta, type EpochOptions } from './shape/epoch-writer.ts'
export { HourUsage } from './shape/hour-usage.ts'
export { joinDeltas, minuteOf, minuteOfBatch, recordsOf } from './shape/records.ts'

export { httpClient } from './kubernetes/http-client.ts'
export { kinds } from './kinds/kind-list.ts'
export { openObserver } from './run/open-observer.ts'
export { Agent, type AgentDeps } from './run/agent.ts'
export { ServerClock } from './run/server-clock.ts'
export { sendBatch, type SendResult, type Target } from './send/send-batch.ts'

export { noFacts, type Living, type MinuteFacts, type NodeMinute } from './facts.ts'

export { decodeBatch, digestOf, encodeBatch, type EncodedBatch, type LoggedBatch } from './shape/encode.ts'
export { EpochWriter, type Delta, type EpochOptions } from './shape/epoch-writer.ts'
export { HourUsage } from './shape/hour-usage.ts'
export { joinDeltas, minuteOf, minuteOfBatch, recordsOf } from './shape/records.ts'

export { inClusterAccess, kubeconfigAccess, type ClusterAccess } from './kubernetes/cluster-access.ts'
export { httpClient, type HttpClient } from './kubernetes/http-client.ts'
export { kinds, type Kind } from './kinds/kind-list.ts'
export { openObserver, type ObserverOptions } from './observe/open-observer.ts'
export type { Condition, Freshness, Observer } from './observe/observer.ts'
export { DiskQueue, type Losses, type QueueOptions } from './queue/disk-queue.ts'
export { sendBatch, type SendResult, type Target } from './send/send-batch.ts'

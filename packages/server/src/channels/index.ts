export { cancelForDisabled, deleteOldDeliveries, listDueChannels } from './queries/outbox.ts'
export { queueMessage } from './queue-message.ts'

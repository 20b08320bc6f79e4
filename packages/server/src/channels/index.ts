export { presentChannels } from './present-channel.ts'
export { listReceivers, lockChannel, noteGroup, type ChannelRow } from './queries/channels.ts'
export { cancelForDisabled, deleteOldDeliveries, listDueChannels } from './queries/outbox.ts'
export { queueMessage, queueReport, queueTo } from './queue-message.ts'

export { DiskQueue, type Losses, type QueueOptions } from './queue/disk-queue.ts'

// The entry of the fold thread; main starts it through jobs/fold-threads.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { listenForFolds, type FoldWorkerOptions } from './ingest/jobs/fold-listener.ts'

if (parentPort) listenForFolds(parentPort, workerData as FoldWorkerOptions)

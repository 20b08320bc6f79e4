// The entry of the thread that runs the service; main starts it through service-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { listenForStop, type ServiceWorkerData } from './service-listener.ts'

if (parentPort) await listenForStop(parentPort, workerData as ServiceWorkerData)

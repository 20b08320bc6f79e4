// The entry of the thread that evaluates incidents; monitoring/incidents/incidents-thread.ts starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { evaluateInThread, type IncidentsWorkerOptions } from './monitoring/incidents/incidents-listener.ts'

if (parentPort) await evaluateInThread(parentPort, workerData as IncidentsWorkerOptions)

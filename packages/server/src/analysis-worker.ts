// The entry of the thread that analyses; main starts it through jobs/analysis-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { listenForAnalyses, type AnalysisWorkerOptions } from './jobs/analysis-listener.ts'

if (parentPort) listenForAnalyses(parentPort, workerData as AnalysisWorkerOptions)

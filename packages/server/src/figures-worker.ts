// The entry of the thread that computes figures; costs/figures-thread.ts starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { listenForFigures, type FiguresWorkerOptions } from './costs/figures-listener.ts'

if (parentPort) listenForFigures(parentPort, workerData as FiguresWorkerOptions)

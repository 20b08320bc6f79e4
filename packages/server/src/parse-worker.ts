// The entry of a thread that parses what a caller sent; main starts it through parsing/parse-threads.ts.
import { parentPort } from 'node:worker_threads'
import { listenForTexts } from './manifests/parsing/parse-listener.ts'

if (parentPort) listenForTexts(parentPort)

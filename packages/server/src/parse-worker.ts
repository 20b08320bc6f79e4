// The entry of a thread that parses text of a caller; main starts it through parsing/parse-threads.ts.
import { parentPort } from 'node:worker_threads'
import { listenForTexts } from './manifests/parsing/parse-listener.ts'

if (parentPort) listenForTexts(parentPort)

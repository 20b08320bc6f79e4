// The entry of the thread that validates one price list; prices/judge-price-book.ts starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { judgePriceBook, type PriceBookFiles } from './prices/judge-price-book.ts'

parentPort?.postMessage(judgePriceBook(workerData as PriceBookFiles))

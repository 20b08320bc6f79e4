// The entry of the process that analyses; main starts it through jobs/analysis-process.ts.
import { listenForAnalyses } from './recommendations/analysis/analysis-listener.ts'

// It ends when main tells it to or is no more. A signal to all of them (Ctrl-C) is for main to answer.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
listenForAnalyses(process)

// The entry of the analysis process; main starts it through jobs/analysis-process.ts.
import { listenForAnalyses } from './recommendations/analysis/analysis-listener.ts'

// The process ends when main requests it or has ended. Main handles signals to the whole group (Ctrl-C).
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
listenForAnalyses(process)

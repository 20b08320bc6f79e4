export { analyse } from './analyse.ts'
export { analyseOffline, type OfflineAnalysis } from './analyse-offline.ts'

export { analyse, type AnalysisInput } from './analyse.ts'

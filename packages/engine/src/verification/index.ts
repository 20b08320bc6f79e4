export { listRegressions, realisedUsd, regressionWords, verifyChange, wayGone, type Failures } from './verify-change.ts'

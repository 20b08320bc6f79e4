export { realisedUsd, verifyChange, wayGone, type Failures } from './verify-change.ts'

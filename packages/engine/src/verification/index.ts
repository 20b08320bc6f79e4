export {
  listRegressions,
  realisedUsd,
  REGRESSIONS,
  regressionWords,
  verifyChange,
  wayGone,
  type Failures,
} from './verify-change.ts'

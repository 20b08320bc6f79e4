export {
  listRegressions,
  realisedUsd,
  REGRESSIONS,
  regressionWords,
  verifyChange,
  wayGone,
  type Failures,
  type Regression,
} from './verify-change.ts'

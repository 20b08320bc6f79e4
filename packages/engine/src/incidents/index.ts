export { acceptedSteps, acceptIncident } from './accept.ts'
export { factsOf, type Fact, type FactLine } from './facts.ts'
export {
  advanceIncidents,
  EMPTY_LOG,
  replayIncidents,
  type Evaluation,
  type Incident,
  type IncidentLog,
} from './incident.ts'
export { partTree, type Part, type PartTree } from './part-tree.ts'
export { scorePart, type PartScore } from './score.ts'
export { findThreshold, thresholdFloor } from './threshold.ts'

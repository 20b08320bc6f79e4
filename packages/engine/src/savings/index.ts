export { measureStep, outcomeOf, stepState, type MemberState, type StepMeasure } from './measure-step.ts'
export { traceNodes, type NodeFate, type NodeLife } from './trace-nodes.ts'

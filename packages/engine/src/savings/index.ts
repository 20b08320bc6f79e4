export { countOnce, partOf, type CountedPromise } from './count-once.ts'
export { measureStep, outcomeOf, stepState, type MemberState, type StepMeasure } from './measure-step.ts'
export type { NodeLife } from './node-life.ts'
export { traceNodes, type NodeFate, type NodeState } from './trace-nodes.ts'

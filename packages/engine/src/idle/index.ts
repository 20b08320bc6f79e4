export {
  IDLE_NAMESPACE,
  NO_CLASSES,
  addClasses,
  idleBreakdown,
  type CostClasses,
  type IdleBreakdown,
} from './idle-breakdown.ts'
export type { NamespaceQuantities, NodeQuantities } from './idle-quantities.ts'

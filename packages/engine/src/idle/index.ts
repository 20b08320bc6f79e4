export {
  IDLE_NAMESPACE,
  NO_CLASSES,
  addClasses,
  idleBreakdown,
  type CostClasses,
  type IdleBreakdown,
  type NamespaceQuantities,
  type NodeQuantities,
} from './idle-breakdown.ts'

/** The resources of a statement: the word that readers see, and the field of the API. */
export const STATEMENT_RESOURCES = [
  ['CPU', 'cpu'],
  ['Memory', 'memory'],
  ['GPU', 'gpu'],
  ['Storage', 'storage'],
  ['Load balancers', 'load_balancer'],
] as const

/** The parts of shared cost. */
export const STATEMENT_PARTS = {
  idle: 'Unallocated capacity',
  overhead: 'Control planes',
  namespaces: 'Shared namespaces',
} as const

export const CATEGORIES = [
  'cpu_memory',
  'scaling',
  'node',
  'spot',
  'storage',
  'network',
  'gpu',
  'idle',
  'scheduling',
  'commitment',
  'reliability',
  'governance',
] as const
export type Category = (typeof CATEGORIES)[number]

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Of risk, effort and confidence. */
export const LEVELS = ['low', 'medium', 'high'] as const
export type Level = (typeof LEVELS)[number]

export const CHANGE_ACTIONS = [
  'set_requests',
  'set_limits',
  'set_labels',
  'set_replicas',
  'delete',
  'reconfigure',
  'investigate',
] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

export const STEP_KINDS = ['protect', 'remove', 'drain', 'free', 'switch', 'rest'] as const
export type StepKind = (typeof STEP_KINDS)[number]

export const VERIFICATIONS = ['awaiting', 'verified', 'partial', 'not_observed', 'reverted', 'regressed'] as const
export type Verification = (typeof VERIFICATIONS)[number]

/** Failures that can increase after a change. */
export const REGRESSIONS = ['oom_kills', 'restarts', 'throttling'] as const
export type Regression = (typeof REGRESSIONS)[number]

/** Failures that make a workload unsafe now. */
export const UNSAFE_KINDS = ['oom_killed', 'throttled', 'crash_looping', 'regressed'] as const
export type UnsafeKind = (typeof UNSAFE_KINDS)[number]

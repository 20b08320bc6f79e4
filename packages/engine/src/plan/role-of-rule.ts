import type { ItemRole, PlanItem } from './plan.ts'

type Role = { readonly role: ItemRole; readonly noun: PlanItem['noun'] }

const of = (role: ItemRole, one: string, many = `${one}s`): Role => ({ role, noun: [one, many] })

/** What the findings of a rule do for a plan. Findings of all other rules change pods, or are part of the rest. */
const ROLES: ReadonlyMap<string, Role> = new Map([
  ['container_underprovisioned', of('protect', 'request that is too small', 'requests that are too small')],
  ['cpu_limit_throttling', of('protect', 'CPU limit that throttles', 'CPU limits that throttle')],
  ['requests_missing', of('protect', 'missing request')],
  ['gpu_idle', of('remove', 'idle GPU workload')],
  ['pv_orphaned', of('remove', 'unattached volume')],
  ['pv_overprovisioned', of('remove', 'oversized volume')],
  ['storage_class_downgrade', of('remove', 'expensive volume class', 'expensive volume classes')],
  ['loadbalancer_orphaned', of('remove', 'load balancer without endpoints', 'load balancers without endpoints')],
  ['control_plane_extended_support', of('remove', 'extended-support fee')],
  ['node_underutilized_drain', of('drain', 'node')],
  ['consolidation_blocked', of('unblock', 'blocked node')],
  ['node_instance_type_mismatch', of('switch', 'node pool')],
  ['old_generation_instance', of('switch', 'node pool')],
  ['spot_candidate', of('switch', 'workload')],
])

/** `resize` for rules that are not listed: what changes no pod of theirs ends in the rest. */
export const roleOfRule = (ruleId: string): Role => ROLES.get(ruleId) ?? of('resize', 'request')

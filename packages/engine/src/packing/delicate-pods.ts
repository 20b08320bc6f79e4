import type { PackingPod } from './cluster.ts'

/** Whether there may be anything against evicting a pod, budgets aside. Most pods are no matter, and are not looked at twice. */
export function isDelicate({ owner, namespace, localStorage, safeToEvict, doNotDisrupt }: PackingPod): boolean {
  const isAnnotated = doNotDisrupt === true || safeToEvict === false
  return isAnnotated || owner === 'none' || localStorage === true || namespace === SYSTEM_NAMESPACE
}

export const SYSTEM_NAMESPACE = 'kube-system'

import type { PackingPod } from './cluster.ts'

/** Whether something other than a budget may block the eviction of a pod. Most pods are not checked further. */
export function isDelicate({ owner, namespace, localStorage, safeToEvict, doNotDisrupt }: PackingPod): boolean {
  const isAnnotated = doNotDisrupt === true || safeToEvict === false
  return isAnnotated || owner === 'none' || localStorage === true || namespace === SYSTEM_NAMESPACE
}

export const SYSTEM_NAMESPACE = 'kube-system'

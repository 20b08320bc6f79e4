import type { PodEntry } from '../observe/pods.ts'
import type { ContainerName } from './container-name.ts'

export type FindPod = (namespace: string, name: string) => PodEntry | undefined

/** The current pod with this name, and the index of the container in it. */
export function findContainer(
  findPod: FindPod,
  { namespace, pod, container }: ContainerName,
): { entry: PodEntry; index: number } | undefined {
  const entry = findPod(namespace, pod)
  const index = entry?.facts.pod.shape.containers.findIndex(({ name }) => name === container) ?? -1
  return entry && index !== -1 ? { entry, index } : undefined
}

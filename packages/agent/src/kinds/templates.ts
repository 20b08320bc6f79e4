import type { PodTemplate } from '@plimsoll/contract'
import type { Container, Metadata, PodSpec } from './kube-types.ts'
import { controllerOf } from './pods.ts'
import { without } from './without.ts'

/** The resources that the template of a workload sets, and its owning custom resource, if any. */
export function templateOf(apiVersion: string, spec: PodSpec, metadata: Metadata): PodTemplate {
  const owner = controllerOf(metadata.ownerReferences)
  return {
    api_version: apiVersion,
    ...without({ init_containers: spec.initContainers?.map(containerOf) }),
    containers: (spec.containers ?? []).map(containerOf),
    ...(owner
      ? { owner: { api_version: owner.apiVersion ?? '', kind: owner.kind ?? '', name: owner.name ?? '' } }
      : {}),
  }
}

function containerOf({ name = '', resources = {} }: Container): PodTemplate['containers'][number] {
  const { requests, limits, claims } = resources
  return {
    name,
    ...without({
      requests: namesOf(requests),
      limits: namesOf(limits),
      claims: claims && claims.length > 0 ? true : undefined,
    }),
  }
}

/** The resource names in the manifest. */
const namesOf = (quantities: object | undefined) => {
  const names = Object.keys(quantities ?? {}).sort()
  return names.length === 0 ? undefined : names
}

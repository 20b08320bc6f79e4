import type { ObjectVersion } from '@plimsoll/contract'

type Workload = Extract<ObjectVersion, { kind: 'workload' }>
type VerticalAutoscaler = Extract<ObjectVersion, { kind: 'vertical_autoscaler' }>

/** Modes in which a VerticalPodAutoscaler writes requests itself. */
const writingModes = new Set(['Auto', 'Recreate', 'Initial', 'InPlaceOrRecreate'])

/** The VerticalPodAutoscaler or operator that sets the requests of a container; null: none known. */
export function requestManagerOf(
  controller: Workload | undefined,
  vertical: VerticalAutoscaler | undefined,
): (container: string) => string | null {
  if (vertical && writingModes.has(vertical.spec.mode)) return () => `VerticalPodAutoscaler ${vertical.name}`
  const { containers = {}, managers } = controller?.spec ?? {}
  // Older agents do not say which fields a manager owns, so only a manager that is surely an operator counts.
  if (managers) return () => managers.find((manager) => knownOperator.test(manager)) ?? null
  return (container) => containers[container]?.request_managers?.find(keepsRequests) ?? null
}

/** Kubernetes components, and tools that apply manifests of users. A user can change the requests there. */
const deployer = new RegExp(
  `^(${[
    'kube(let|ctl|-controller-manager|-scheduler|-apiserver)',
    'before-first-apply',
    'kustomize(-controller)?',
    'helm(-controller|file)?',
    'argo-?cd',
    'flux',
    'source-controller',
    'terraform|hashicorp|opentofu',
    'pulumi|kapp|fleet|rancher|spinnaker|skaffold|tilt|werf|octopus|harness|gitlab|jenkins|github|configsync',
    'plimsoll',
  ].join('|')})(?![a-z])`,
  'i',
)

/** Operators and optimizers by name. Names such as `…-controller` may only write the status. */
const knownOperator =
  /(^|-)operator$|^vpa-|vertical-autoscaler$|^(castai|stormforge|scaleops|sedai|turbonomic|perfectscale|densify)/i

/** Operators and optimizers restore the requests that a person changes. `manager` is the default name of an operator. */
const operator =
  /operator|-controller(-manager)?$|^manager$|^eks$|addon-?manager|vpa|autoscaler|addon-resizer|pod_nanny|^(castai|stormforge|scaleops|sedai|turbonomic|perfectscale|densify)/i

/** An operator that is named after its product, such as `argocd-operator`, still restores requests. */
const keepsRequests = (manager: string) =>
  manager.toLowerCase().endsWith('-operator') || (!deployer.test(manager) && operator.test(manager))

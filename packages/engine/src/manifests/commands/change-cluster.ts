import type { Action } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { gitNote, inNamespace, kubectl, type CommandCluster, type Commanded, type CommandStep } from './command-step.ts'
import { clusterHint, clusterOptions, providerOf, terraform, type CommandProvider } from './provider-options.ts'

/** One minor version at a time, as providers demand. */
export function upgradeControlPlane(
  cluster: CommandCluster,
  { from, to }: Extract<Action, { kind: 'upgrade_control_plane' }>,
): CommandStep[] {
  const provider = providerOf(cluster)
  if (provider === 'other') return []
  const versions = versionsBetween(from, to)
  const options = clusterOptions[provider](cluster).replace('--cluster-name', '--name')
  const command = {
    aws: (version: string) =>
      `eksctl upgrade cluster ${options.replace('--cluster ', '--name ')} --version ${version} --approve`,
    gcp: (version: string) =>
      `gcloud container clusters upgrade ${options.replace('--cluster ', '')} --master --cluster-version ${version} --quiet`,
    azure: (version: string) => `az aks upgrade ${options} --control-plane-only --kubernetes-version ${version} --yes`,
  }[provider]
  const field = {
    aws: 'version of aws_eks_cluster',
    gcp: 'min_master_version of google_container_cluster',
    azure: 'kubernetes_version of azurerm_kubernetes_cluster',
  }[provider]
  return [
    {
      title: 'Upgrade the control plane',
      commands:
        versions.length === 0 ? [command(guarded('VERSION'))] : versions.map((version) => command(shellWord(version))),
      note: `${clusterHint[provider]}${versions.length === 0 ? ' Set VERSION to the next minor version.' : ''} Check removed APIs and add-ons before each command, and upgrade the nodes after it. In Terraform, set ${field}.`,
    },
  ]
}

function versionsBetween(from: string, to: string | null): string[] {
  const [major = 0, minor = 0] = from.split('.').map(Number)
  const [toMajor = 0, last = 0] = (to ?? '').split('.').map(Number)
  if (to === null || major !== toMajor || !(last > minor) || last - minor > 20) return []
  return Array.from({ length: last - minor }, (_, index) => `${major}.${minor + 1 + index}`)
}

const spotLabels = {
  aws: { key: 'eks.amazonaws.com/capacityType', value: 'SPOT' },
  gcp: { key: 'cloud.google.com/gke-spot', value: 'true' },
  azure: { key: 'kubernetes.azure.com/scalesetpriority', value: 'spot' },
  other: { key: 'karpenter.sh/capacity-type', value: 'spot' },
} as const

/** A preference, not a requirement: without spot capacity the pods start on other nodes. */
export function useSpot({ object: { kind, namespace, name }, cluster }: Commanded): CommandStep[] {
  const provider = providerOf(cluster)
  const { key, value } = spotLabels[provider]
  const preference = { matchExpressions: [{ key, operator: 'In', values: [value] }] }
  const affinity = {
    nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 66, preference }] },
  }
  const patch = shellWord(JSON.stringify({ spec: { template: { spec: { affinity } } } }))
  const prefer: CommandStep = {
    title: 'Let the pods prefer spot nodes',
    commands: [
      `${kubectl(cluster)} patch ${shellWord(kind.toLowerCase())} ${shellWord(name)}${inNamespace(namespace)} --type=strategic -p ${patch}`,
    ],
    note: `An existing preference is replaced. If the spot pool has a taint, add its toleration. To keep some pods on demand, add a topology spread constraint over capacity types. ${gitNote}`,
  }
  return provider === 'other' ? [prefer] : [createSpotPool(cluster, provider), prefer]
}

function createSpotPool(cluster: CommandCluster, provider: CommandProvider): CommandStep {
  const options = clusterOptions[provider](cluster)
  const type = guarded('INSTANCE_TYPE')
  const command = {
    aws: `eksctl create nodegroup ${options} --name spot --spot --instance-types ${type} --nodes-min 0 --nodes 1`,
    gcp: `gcloud container node-pools create spot ${options} --spot --machine-type ${type} --enable-autoscaling --min-nodes 0 --max-nodes 10`,
    azure: `az aks nodepool add ${options} --name spot --priority Spot --node-vm-size ${type} --enable-cluster-autoscaler --min-count 0 --max-count 10`,
  }[provider]
  return {
    title: 'Create a spot pool, if there is none',
    commands: [command],
    note: `${clusterHint[provider]} Set INSTANCE_TYPE to the type of the current nodes. A pool with several instance types is interrupted less often. With Karpenter, add spot to karpenter.sh/capacity-type of the NodePool instead. In Terraform, add the resource ${terraform[provider].pool}.`,
  }
}

/** Injectors have one setting for all sidecars. */
export function shrinkSidecar(
  { object: { name }, cluster }: Commanded,
  { cpu, memory }: Extract<Action, { kind: 'shrink_sidecar' }>,
): CommandStep[] {
  const mesh = meshes[name]
  const sets = [
    ...(cpu === null || !mesh ? [] : [`--set ${mesh.cpu}=${shellWord(cpu)}`]),
    ...(memory === null || !mesh ? [] : [`--set ${mesh.memory}=${shellWord(memory)}`]),
  ]
  if (!mesh || sets.length === 0) return []
  const helm = `helm --kube-context=${guarded(cluster.contextVariable)}`
  return [
    {
      title: `Lower the requests of ${name} in ${mesh.chart}`,
      commands: [
        `${helm} upgrade ${mesh.release} ${guarded('CHART')} -n ${mesh.namespace} --reuse-values --version ${guarded('CHART_VERSION')} ${sets.join(' ')}`,
      ],
      note: `Set CHART and CHART_VERSION to the chart of release ${mesh.release}, such as ${mesh.chart}, and its current version (helm list). The change reaches a pod when the pod restarts: kubectl rollout restart. ${gitNote}`,
    },
  ]
}

const meshes: Readonly<
  Record<string, { release: string; namespace: string; chart: string; cpu: string; memory: string }>
> = {
  'istio-proxy': {
    release: 'istiod',
    namespace: 'istio-system',
    chart: 'istio/istiod',
    cpu: 'global.proxy.resources.requests.cpu',
    memory: 'global.proxy.resources.requests.memory',
  },
  'linkerd-proxy': {
    release: 'linkerd-control-plane',
    namespace: 'linkerd',
    chart: 'linkerd/linkerd-control-plane',
    cpu: 'proxy.resources.cpu.request',
    memory: 'proxy.resources.memory.request',
  },
}

/** The reader chooses which DaemonSets need less. */
export function shrinkDaemonsets({ cluster }: Commanded): CommandStep[] {
  const run = kubectl(cluster)
  const columns =
    'NAMESPACE:.metadata.namespace,NAME:.metadata.name,CPU:.spec.template.spec.containers[*].resources.requests.cpu,MEMORY:.spec.template.spec.containers[*].resources.requests.memory'
  return [
    {
      title: 'List the requests of the DaemonSets',
      commands: [`${run} get daemonset --all-namespaces -o custom-columns=${shellWord(columns)}`],
      note: 'Compare them with their usage on the page of each workload.',
    },
    {
      title: 'Lower the requests of one DaemonSet',
      commands: [
        `${run} set resources daemonset/${guarded('DAEMONSET')} -n ${guarded('NAMESPACE')} --requests=cpu=${guarded('CPU')},memory=${guarded('MEMORY')}`,
      ],
      note: `Set DAEMONSET, NAMESPACE, CPU and MEMORY. The pods restart one by one. ${gitNote}`,
    },
  ]
}

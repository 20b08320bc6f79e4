import type { ContainerShape, Labels, PodShape, PodTemplate } from '@plimsoll/contract'
import { podRequest, wholeRequest } from '@plimsoll/engine/allocation'
import { engineShape } from '../engine-shape.ts'
import { seedOf } from '../random.ts'
import type { ContainerScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { hashOf } from './names.ts'
import { schedulingOf } from './scheduling.ts'
import type { Pool, Size, Template, Workload } from './state.ts'
import { KIB_PER_MIB } from './versions.ts'

/** The common values of the pods of one revision. Pods share the object, so it is created and read once. */
export function makeTemplate(scenario: Scenario, workload: Omit<Workload, 'template'>, shape?: PodShape): Template {
  const { spec, seed, revision, pools, containers } = workload
  const hash = hashOf(seed, revision)
  const gpuResource = pools.find((pool) => pool.spec.gpu)?.spec.gpu?.resource ?? 'nvidia.com/gpu'
  const scheduling = schedulingOf(
    scenario,
    spec,
    pools.map((pool) => pool.spec),
  )
  const containerShapes = containers.map((each) => containerShape(each, gpuResource))
  const gpus = containers.reduce((sum, { request }) => sum + (request?.gpus ?? 0), 0)
  const extended = gpus > 0 ? { extended_requests: { [gpuResource]: gpus } } : undefined
  const made = shape ?? {
    containers: containerShapes,
    ...(scheduling || extended ? { scheduling: { ...scheduling, ...extended } } : {}),
    template: podTemplate(spec, containerShapes),
  }
  return {
    shape: { ...made, containers: withImages(made.containers, seed, revision) },
    hash,
    labels: labelsOf(spec, hash),
    sizes: new Map(),
  }
}

export function sizeOn(pool: Pool, template: Template): Size {
  const known = template.sizes.get(pool)
  if (known) return known
  const { gpu } = pool.spec
  const shape = engineShape(template.shape, gpu ? { product: gpu.product, replicas: gpu.replicas ?? 1 } : {})
  const amounts = wholeRequest(podRequest(shape))
  const size = { amounts, key: `${amounts.cpu}/${amounts.memory}/${amounts.gpu}` }
  template.sizes.set(pool, size)
  return size
}

/** Init containers first, as in a pod's spec. */
export function inOrder({ containers }: WorkloadScenario): ContainerScenario[] {
  const isApp = ({ kind }: ContainerScenario) => (kind ?? 'app') === 'app'
  return [...containers.filter((each) => !isApp(each)), ...containers.filter(isApp)]
}

function containerShape({ name, kind, request, limit }: ContainerScenario, gpuResource: string): ContainerShape {
  const kib = (mib: number) => mib * KIB_PER_MIB
  return {
    name,
    kind: kind ?? 'app',
    ...(request?.cpuMillicores === undefined ? {} : { cpu_request: request.cpuMillicores }),
    ...(request?.memoryMib === undefined ? {} : { memory_request: kib(request.memoryMib) }),
    ...(limit?.cpuMillicores === undefined ? {} : { cpu_limit: limit.cpuMillicores }),
    ...(limit?.memoryMib === undefined ? {} : { memory_limit: kib(limit.memoryMib) }),
    ...(request?.gpus === undefined ? {} : { gpu_resource: gpuResource, gpu_count: request.gpus }),
  }
}

/** A revision changes the image of the main container; other images stay. */
function withImages(shapes: readonly ContainerShape[], seed: number, revision: number): ContainerShape[] {
  const own = shapes.findIndex(({ kind }) => kind === 'app')
  return shapes.map((each, index) => ({
    ...each,
    image: index === own ? hashOf(seed, revision) : hashOf(seedOf(each.name), 0),
  }))
}

const apiVersions = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
}

/** A simulated cluster has no defaults or injected values, so the template equals the pods. */
function podTemplate({ kind }: WorkloadScenario, shapes: readonly ContainerShape[]): PodTemplate {
  const of = (each: ContainerShape) => ({
    name: each.name,
    requests: [...sized(each.cpu_request, each.memory_request)],
    limits: [
      ...sized(each.cpu_limit, each.memory_limit),
      ...(each.gpu_resource === undefined ? [] : [each.gpu_resource]),
    ],
  })
  return {
    api_version: apiVersions[kind],
    init_containers: shapes.filter((each) => each.kind !== 'app').map(of),
    containers: shapes.filter((each) => each.kind === 'app').map(of),
  }
}

const sized = (cpu: number | undefined, memory: number | undefined) => [
  ...(cpu === undefined ? [] : ['cpu']),
  ...(memory === undefined ? [] : ['memory']),
]

const hashLabels = {
  Deployment: 'pod-template-hash',
  StatefulSet: 'controller-revision-hash',
  DaemonSet: 'controller-revision-hash',
  Job: undefined,
  CronJob: undefined,
}

function labelsOf({ kind, name, labels }: WorkloadScenario, hash: string): Labels {
  const hashLabel = hashLabels[kind]
  return {
    'app.kubernetes.io/name': name,
    ...labels,
    ...(hashLabel === undefined ? {} : { [hashLabel]: hash }),
    ...(kind === 'DaemonSet' ? { 'pod-template-generation': '1' } : {}),
  }
}

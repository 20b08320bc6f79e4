import type { ControlPlane } from '../../../../test/control-plane.ts'
import type { DisruptionBudget, PackingCluster, PackingNode, PackingPod } from '../../src/packing/cluster.ts'
import { NAMESPACES, type ClusterState, type Workload } from './random-state.ts'
import { namespaceOf, nodeNameOf, setOf, type Scope } from './state-objects.ts'

export type LivePod = {
  readonly name: string
  readonly namespace: string
  readonly workload: Workload
  /** Without the name of the state; undefined while it is pending. */
  readonly node: string | undefined
  readonly isReady: boolean
  readonly isUnschedulable: boolean
  readonly isEnding: boolean
}

type ApiPod = {
  metadata: { name: string; namespace: string; labels?: Record<string, string>; deletionTimestamp?: string }
  spec: { nodeName?: string }
  status: { phase?: string; conditions?: { type: string; status: string; reason?: string }[] }
}

type ApiDisruptionBudget = {
  metadata: { name: string; generation?: number }
  spec: { selector: { matchLabels: Record<string, string> } }
  status: { observedGeneration?: number; disruptionsAllowed?: number; currentHealthy?: number; expectedPods?: number }
}

/** Reads one state of the control plane back. */
export class LiveState {
  readonly #plane: ControlPlane
  readonly #scope: Scope
  readonly #state: ClusterState
  readonly #workloads: Map<string, Workload>

  constructor(plane: ControlPlane, scope: Scope, state: ClusterState) {
    this.#plane = plane
    this.#scope = scope
    this.#state = state
    this.#workloads = new Map(state.workloads.map((each) => [each.name, each]))
  }

  /** The workload as it is by now. */
  find(name: string): Workload {
    const workload = this.#workloads.get(name)
    if (!workload) throw new Error(`no workload ${name}`)
    return workload
  }

  /** From now on, pods of the workload have these requests. */
  update(workload: Workload): void {
    this.#workloads.set(workload.name, workload)
  }

  async listPods(): Promise<LivePod[]> {
    const lists = await Promise.all(
      Object.keys(NAMESPACES).map((namespace) =>
        this.#list<ApiPod>(`/api/v1/namespaces/${namespaceOf(this.#scope, namespace)}/pods`),
      ),
    )
    return lists.flat().flatMap((pod) => {
      const workload = this.#workloads.get(setOf(pod.metadata.labels))
      return workload ? [this.#livePod(pod, workload)] : []
    })
  }

  #livePod({ metadata, spec, status }: ApiPod, workload: Workload): LivePod {
    const is = (type: string, value: string, reason?: string) =>
      (status.conditions ?? []).some(
        (each) => each.type === type && each.status === value && (reason === undefined || each.reason === reason),
      )
    return {
      name: metadata.name,
      namespace: metadata.namespace,
      workload,
      node: spec.nodeName?.slice(nodeNameOf(this.#scope, '').length),
      isReady: is('Ready', 'True'),
      isUnschedulable: spec.nodeName === undefined && is('PodScheduled', 'False', 'Unschedulable'),
      isEnding: metadata.deletionTimestamp !== undefined,
    }
  }

  /** The currently allowed disruptions; undefined until the disruption controller has processed every pod. */
  async readDisruptionBudgets(pods: readonly LivePod[]): Promise<DisruptionBudget[] | undefined> {
    const read = await Promise.all(
      Object.keys(NAMESPACES).map(async (namespace) => {
        const path = `/apis/policy/v1/namespaces/${namespaceOf(this.#scope, namespace)}/poddisruptionbudgets`
        return (await this.#list<ApiDisruptionBudget>(path)).map((disruptionBudget) => ({
          namespace,
          budget: disruptionBudget,
        }))
      }),
    )
    const disruptionBudgets = read.flat().map(({ namespace, budget: { metadata, spec, status } }) => {
      const labels = spec.selector.matchLabels
      const own = pods.filter(({ workload: { pod } }) => pod.namespace === namespace && pod.labels.app === labels.app)
      const isCurrent =
        status.observedGeneration === metadata.generation &&
        status.currentHealthy === own.filter(({ isReady }) => isReady).length &&
        status.expectedPods === own.length
      return {
        isCurrent,
        disruptionBudget: {
          namespace,
          name: metadata.name,
          selector: { labels },
          disruptionsAllowed: status.disruptionsAllowed ?? 0,
        },
      }
    })
    return disruptionBudgets.every(({ isCurrent }) => isCurrent)
      ? disruptionBudgets.map(({ disruptionBudget }) => disruptionBudget)
      : undefined
  }

  /** The cluster as the engine sees it. */
  toCluster(
    nodes: readonly PackingNode[],
    pods: readonly LivePod[],
    disruptionBudgets: readonly DisruptionBudget[],
  ): PackingCluster {
    return {
      nodes,
      pods: pods.map(({ name, node, workload }): PackingPod => ({
        ...workload.pod,
        uid: name,
        name,
        ...(node ? { node } : {}),
      })),
      pools: this.#state.pools,
      disruptionBudgets,
      namespaces: NAMESPACES,
    }
  }

  async #list<Item>(path: string): Promise<Item[]> {
    return ((await this.#plane.call('GET', path)) as { items: Item[] }).items
  }
}

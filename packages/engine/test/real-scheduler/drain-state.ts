import { setTimeout as wait } from 'node:timers/promises'
import type { ControlPlane } from '../../../../test/control-plane.ts'
import type { PodShape } from '../../src/allocation/pod-request.ts'
import type { DisruptionBudget, PackingCluster, PackingNode } from '../../src/packing/cluster.ts'
import { LiveState, type LivePod } from './live-state.ts'
import type { ClusterState } from './random-state.ts'
import {
  disruptionBudgetObject,
  controllerObject,
  csiNodeObjects,
  isReplicated,
  namespaceObjects,
  namespaceOf,
  nodeNameOf,
  nodeObject,
  podObjects,
  replicasOf,
  volumeObjects,
  type Scope,
} from './state-objects.ts'

/** `refused`: the Eviction API never allowed the eviction of a pod. */
export type DrainResult =
  | { readonly kind: 'emptied' }
  | { readonly kind: 'pending'; readonly pods: readonly string[] }
  | { readonly kind: 'refused'; readonly pod: string }

const POLL_MS = 150
/** Only a stopped control plane takes this long. */
const GIVE_UP_MS = 300_000

/** One state on a real control plane, with the actions of an autoscaler. */
export class DrainState {
  readonly #plane: ControlPlane
  readonly #scope: Scope
  readonly #state: ClusterState
  readonly #live: LiveState
  #nodes: PackingNode[]

  constructor(plane: ControlPlane, scope: Scope, state: ClusterState) {
    this.#plane = plane
    this.#scope = scope
    this.#state = state
    this.#live = new LiveState(plane, scope, state)
    this.#nodes = [...state.nodes]
  }

  async create(): Promise<void> {
    const { workloads, disruptionBudgets } = this.#state
    const replicated = workloads.filter(isReplicated)
    for (const object of namespaceObjects(this.#scope)) await this.#create('/api/v1/namespaces', object)
    // Before the nodes, so that the scheduler has the limits of a node from the beginning. They outlive a drain.
    await this.#createAll(
      '/apis/storage.k8s.io/v1/csinodes',
      this.#state.nodes.flatMap((node) => csiNodeObjects(this.#scope, node)),
    )
    await this.#createAll(
      '/api/v1/nodes',
      this.#state.nodes.map((node) => nodeObject(this.#scope, node)),
    )
    const volumes = workloads.flatMap((each) => volumeObjects(this.#scope, each))
    await this.#createAll(
      '/api/v1/persistentvolumes',
      volumes.map(({ volume }) => volume),
    )
    await this.#createAll(
      'persistentvolumeclaims',
      volumes.map(({ claim }) => claim),
    )
    await this.#createAll(
      'pods',
      replicated.flatMap((each) => podObjects(this.#scope, each)),
    )
    await this.#createAll(
      'poddisruptionbudgets',
      disruptionBudgets.map((each) => disruptionBudgetObject(this.#scope, each)),
    )
    await this.#createAll(
      'replicasets',
      replicated.map((each) => controllerObject(this.#scope, each)),
    )
    const daemons = workloads.filter((each) => !isReplicated(each))
    await this.#createAll(
      'daemonsets',
      daemons.map((each) => controllerObject(this.#scope, each)),
    )
    await this.#nodesAreReady()
    await this.#claimsAreBound()
    await this.#settle()
  }

  /** The current cluster, once all controllers have settled. */
  async read(): Promise<PackingCluster> {
    const { pods, disruptionBudgets } = await this.#settle()
    return this.#live.toCluster(this.#nodes, pods, disruptionBudgets)
  }

  /**
   * Cordons a node, evicts its pods, deletes the node. A node whose pods find no place comes back with them, as an autoscaler
   * would start another one.
   */
  async drain(name: string): Promise<DrainResult> {
    const node = this.#nodes.find((each) => each.name === name)
    if (!node) throw new Error(`no node ${name}`)
    await this.#cordon(name, true)
    const refused = await this.#evictAll(name)
    if (refused !== undefined) {
      await this.#cordon(name, false)
      await this.#retryPending()
      return { kind: 'refused', pod: refused }
    }
    await this.#remove(name)
    this.#nodes = this.#nodes.filter((each) => each !== node)
    const pending = await this.#retryPending()
    if (pending.length === 0) return { kind: 'emptied' }
    await this.#create('/api/v1/nodes', nodeObject(this.#scope, node))
    this.#nodes.push(node)
    await this.#nodesAreReady()
    await this.#retryPending()
    return { kind: 'pending', pods: pending }
  }

  cordon(name: string): Promise<void> {
    return this.#cordon(name, true)
  }

  /** Changes the requests in the template of a workload, and replaces its pods one by one. */
  async resize(name: string, change: (shape: PodShape) => PodShape): Promise<void> {
    const before = this.#live.find(name)
    const workload = { ...before, pod: { ...before.pod, shape: change(before.pod.shape) } }
    const { metadata, spec } = controllerObject(this.#scope, workload)
    const path = `/apis/apps/v1/namespaces/${metadata.namespace}/replicasets/${name}`
    await this.#plane.call('PATCH', path, { spec: { template: spec.template } })
    this.#live.update(workload)
    for (const pod of (await this.#live.listPods()).filter((each) => each.workload.name === name)) {
      await this.#deletePod(pod)
      await this.#settle(new Set([pod.name]))
    }
  }

  /** Pods that the scheduler cannot place now. */
  listPending(): Promise<string[]> {
    return this.#retryPending()
  }

  /** Whether the Eviction API would allow the eviction of the pod now. */
  async mayEvict(namespace: string, name: string): Promise<boolean> {
    return this.#evict({ name, namespace: namespaceOf(this.#scope, namespace) }, { dryRun: ['All'] })
  }

  async delete(): Promise<void> {
    const once = { gracePeriodSeconds: 0 }
    for (const { metadata } of namespaceObjects(this.#scope)) {
      const path = `namespaces/${metadata.name}`
      for (const kind of ['replicasets', 'daemonsets'])
        await this.#plane.call('DELETE', `/apis/apps/v1/${path}/${kind}`)
      await this.#plane.call('DELETE', `/api/v1/${path}/pods`, once)
      await this.#plane.call('DELETE', `/apis/policy/v1/${path}/poddisruptionbudgets`)
    }
    for (const { name } of this.#nodes) await this.#deleteNode(name)
  }

  async #cordon(name: string, unschedulable: boolean): Promise<void> {
    await this.#plane.call('PATCH', `/api/v1/nodes/${nodeNameOf(this.#scope, name)}`, { spec: { unschedulable } })
  }

  /** The name of a pod that a budget blocks; undefined once all pods of controllers are evicted. */
  async #evictAll(node: string): Promise<string | undefined> {
    for (;;) {
      const all = await this.#live.listPods()
      const own = all.filter((pod) => pod.node === node && pod.workload.kind === 'ReplicaSet' && !pod.isEnding)
      if (own.length === 0) return undefined
      const done = await Promise.all(own.map((pod) => this.#evict(pod)))
      const held = own.find((_pod, index) => done[index] === false)
      if (!held || done.includes(true)) continue
      // A temporary rejection: a replacement may still be starting. A final rejection: everything has settled.
      await this.#retryPending()
      if (!(await this.#evict(held))) return held.name
    }
  }

  async #evict({ namespace, name }: Pick<LivePod, 'namespace' | 'name'>, options: object = {}): Promise<boolean> {
    try {
      await this.#plane.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: { gracePeriodSeconds: 0, ...options },
      })
      return true
    } catch (error) {
      const text = String(error)
      if (text.includes(': 404 ')) return true
      // 500: a pod with several budgets is never evicted.
      if (text.includes(': 429 ') || text.includes('more than one PodDisruptionBudget')) return false
      throw error
    }
  }

  async #remove(name: string): Promise<void> {
    const daemons = (await this.#live.listPods()).filter((pod) => pod.node === name)
    await this.#deleteNode(name)
    await Promise.all(daemons.map((pod) => this.#deletePod(pod)))
  }

  async #deleteNode(name: string): Promise<void> {
    await this.#plane.call('DELETE', `/api/v1/nodes/${nodeNameOf(this.#scope, name)}`)
  }

  async #deletePod({ namespace, name }: LivePod): Promise<void> {
    await this.#plane
      .call('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, { gracePeriodSeconds: 0 })
      .catch((error: unknown) => {
        if (!String(error).includes(': 404 ')) throw error
      })
  }

  /**
   * The pods that the scheduler cannot place. The scheduler retries a pending pod after a back-off, but a new pod at
   * once.
   */
  async #retryPending(): Promise<string[]> {
    const { pods } = await this.#settle()
    const pending = pods.filter(({ isUnschedulable }) => isUnschedulable)
    if (pending.length === 0) return []
    await Promise.all(pending.map((pod) => this.#deletePod(pod)))
    const after = await this.#settle(new Set(pending.map(({ name }) => name)))
    return after.pods.filter(({ isUnschedulable }) => isUnschedulable).map(({ name }) => name)
  }

  /** Waits until every wanted pod runs or is unschedulable, and budgets are up to date. */
  async #settle(
    without: ReadonlySet<string> = new Set(),
  ): Promise<{ pods: LivePod[]; disruptionBudgets: readonly DisruptionBudget[] }> {
    const since = performance.now()
    for (;;) {
      const pods = await this.#collectGarbage(await this.#live.listPods())
      if (this.#isSettled(pods, without)) {
        const disruptionBudgets = await this.#live.readDisruptionBudgets(pods)
        if (disruptionBudgets) return { pods, disruptionBudgets }
      }
      if (performance.now() - since > GIVE_UP_MS) throw new Error(`${this.#scope.id} never settled: ${describe(pods)}`)
      await wait(POLL_MS)
    }
  }

  /**
   * A DaemonSet may create a pod for a node that was just removed. Kubernetes deletes such pods, but only after a
   * minute.
   */
  async #collectGarbage(pods: readonly LivePod[]): Promise<LivePod[]> {
    const nodes = new Set(this.#nodes.map(({ name }) => name))
    const lost = pods.filter(({ node }) => node !== undefined && !nodes.has(node))
    await Promise.all(lost.map((pod) => this.#deletePod(pod)))
    return pods.filter((pod) => !lost.includes(pod))
  }

  #isSettled(pods: readonly LivePod[], without: ReadonlySet<string>): boolean {
    const nodes = new Set(this.#nodes.map(({ name }) => name))
    const isAtRest = (pod: LivePod) =>
      !pod.isEnding &&
      !without.has(pod.name) &&
      (pod.node === undefined ? pod.isUnschedulable : pod.isReady && nodes.has(pod.node))
    if (!pods.every(isAtRest)) return false
    const count = (name: string) => pods.filter(({ workload }) => workload.name === name).length
    const daemons = this.#state.workloads.find(({ kind }) => kind === 'DaemonSet')
    const wanted = daemons?.nodes.filter((name) => nodes.has(name)).length ?? 0
    if (daemons && count(daemons.name) !== wanted) return false
    return [...replicasOf(this.#state)].every(([name, replicas]) => count(name) === replicas)
  }

  /** The scheduler places no pod with an unbound claim. */
  async #claimsAreBound(): Promise<void> {
    for (const { metadata } of namespaceObjects(this.#scope)) {
      const path = `/api/v1/namespaces/${metadata.name}/persistentvolumeclaims`
      for (;;) {
        const { items } = (await this.#plane.call('GET', path)) as { items: { status: { phase?: string } }[] }
        if (items.every(({ status }) => status.phase === 'Bound')) break
        await wait(POLL_MS)
      }
    }
  }

  /** New nodes carry a taint until their first heartbeat. */
  async #nodesAreReady(): Promise<void> {
    const selector = encodeURIComponent(`plimsoll.test/state=${this.#scope.id}`)
    for (;;) {
      const { items } = (await this.#plane.call('GET', `/api/v1/nodes?labelSelector=${selector}`)) as {
        items: { spec: { taints?: { key: string }[] } }[]
      }
      const isReady = items.every(({ spec }) => !spec.taints?.some(({ key }) => isStarting(key)))
      if (isReady) return
      await wait(POLL_MS)
    }
  }

  async #createAll(kind: string, objects: readonly object[]): Promise<void> {
    for (let at = 0; at < objects.length; at += 8) {
      await Promise.all(objects.slice(at, at + 8).map((object) => this.#create(pathOf(kind, object), object)))
    }
  }

  async #create(path: string, object: object): Promise<void> {
    await this.#plane.call('POST', path, object)
  }
}

/** Cordoned nodes have a taint of their own. */
const isStarting = (key: string) => key.startsWith('node.kubernetes.io/') && key !== 'node.kubernetes.io/unschedulable'

function pathOf(kind: string, object: { apiVersion?: string; metadata?: { namespace?: string } }): string {
  if (kind.startsWith('/')) return kind
  const { apiVersion = 'v1', metadata } = object
  const api = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  return `${api}/namespaces/${metadata?.namespace ?? ''}/${kind}`
}

const describe = (pods: readonly LivePod[]) =>
  pods
    .map(({ name, node, isReady, isUnschedulable, isEnding }) =>
      JSON.stringify({ name, node, isReady, isUnschedulable, isEnding }),
    )
    .join('\n')

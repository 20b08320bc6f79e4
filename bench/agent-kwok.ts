// Compares the state that the observer reported, minute by minute, with the state of a real API server. The control
// plane has simulated KWOK nodes with changing pods. Needs KUBEBUILDER_ASSETS with kube-apiserver, etcd,
// kube-scheduler, kube-controller-manager and kwok. npm run bench:agent-kwok -- 1000 10000
import { setTimeout as wait } from 'node:timers/promises'
import { httpClient, openObserver, type MinuteFacts } from '../packages/agent/src/index.ts'
import { findAssets, startControlPlane, type ControlPlane } from '../test/control-plane.ts'

const [nodeCount = 1000, podCount = 10_000] = process.argv.slice(2).map(Number)
const deploymentCount = Math.max(1, Math.round(podCount / 500))
const replicas = Math.round(podCount / deploymentCount)
const startedAt = performance.now()
const print = (text: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`)

type ApiPod = { metadata: { uid: string; name: string }; spec: { nodeName?: string }; status: { phase: string } }

async function bench(directory: string): Promise<void> {
  const plane = await startControlPlane(directory)
  try {
    const kubeconfig = ['--kubeconfig', plane.config]
    const fast = ['--kube-api-qps', '1000', '--kube-api-burst', '2000']
    plane.start('kube-scheduler', ...kubeconfig, '--secure-port', '0', '--leader-elect=false', ...fast)
    // On a slow machine nodes report late. If they counted as dead, their pods would never be ready.
    const patient = ['--node-monitor-grace-period', '30m']
    plane.start(
      'kube-controller-manager',
      ...kubeconfig,
      '--secure-port',
      '0',
      '--leader-elect=false',
      ...fast,
      ...patient,
    )
    plane.start('kwok', ...kubeconfig, '--manage-all-nodes=true', '--server-address', '127.0.0.1:0')
    print('the control plane is ready')
    await liveAndDie(plane)
  } finally {
    await plane.stop()
  }
}

async function liveAndDie(plane: ControlPlane): Promise<void> {
  const client = httpClient({
    origin: plane.origin,
    credentials: async () => ({ headers: { authorization: 'Bearer for-tests' }, tls: { rejectUnauthorized: false } }),
  })
  const usage = { wanted: 'none' as const }
  const log = () => undefined
  const observer = openObserver({ client, version: 'bench', usage, now: Date.now, log, random: Math.random })
  await observer.synced
  const reported = new ReportedState()
  const cpu = process.cpuUsage()
  const since = performance.now()
  const timer = setInterval(() => reported.apply(observer.takeMinute(1)), 2000)
  await someAtATime(nodeCount, (index) => plane.call('POST', '/api/v1/nodes', aNode(index)))
  await someAtATime(deploymentCount, (index) =>
    plane.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment(index)),
  )
  print(`${nodeCount} nodes and ${deploymentCount} deployments are created`)
  const running = () => observer.living(now()).pods.filter(({ phase }) => phase === 'running').length
  await until(
    () => running() === deploymentCount * replicas,
    () => `${running()} pods run`,
  )
  // Half of the deployments get new pods, the others scale down, and a tenth of the nodes is removed.
  await someAtATime(deploymentCount, (index) => {
    const template = { metadata: { labels: { round: 'second' } } }
    const spec = index % 2 === 0 ? { template } : { replicas: Math.round(replicas / 2) }
    return plane.call('PATCH', `/apis/apps/v1/namespaces/default/deployments/work-${index}`, { spec })
  })
  await someAtATime(Math.round(nodeCount / 10), (index) => plane.call('DELETE', `/api/v1/nodes/node-${index}`))
  const wanted = Math.ceil(deploymentCount / 2) * replicas + Math.floor(deploymentCount / 2) * Math.round(replicas / 2)
  // If nothing changes for long, the controllers cannot do more. The reported state must match that state too.
  await until(
    () => (running() === wanted && reported.changesAtRest > 5) || reported.changesAtRest > 60,
    () => `${running()} of ${wanted} pods run`,
    reported,
  )
  clearInterval(timer)
  reported.apply(observer.takeMinute(1))
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - since) / 1000
  const cpuSeconds = (user + system) / 1e6
  const versions = `${reported.versions} versions and ends of pods and nodes reported in ${seconds.toFixed(0)} s`
  print(
    `${versions}; CPU ${cpuSeconds.toFixed(1)} s, ${((cpuSeconds / seconds) * 100).toFixed(1)} % of a core; RSS ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB (with the TypeScript loader)`,
  )
  await compare(plane, reported, observer.living(now()).pods.length)
  await observer.stop()
  client.close()
}

/** The state of a server that received only changes. */
class ReportedState {
  readonly pods = new Map<number, MinuteFacts['pods'][number]>()
  readonly nodes = new Map<number, MinuteFacts['nodes'][number]>()
  ended = 0
  versions = 0
  /** The number of consecutive polls without a change. */
  changesAtRest = 0

  apply(facts: MinuteFacts): void {
    for (const pod of facts.pods) this.pods.set(pod.ref, pod)
    for (const node of facts.nodes) this.nodes.set(node.ref, node)
    for (const { ref } of facts.ends) if (this.pods.delete(ref) || this.nodes.delete(ref)) this.ended += 1
    this.versions += facts.pods.length + facts.nodes.length + facts.ends.length
    this.changesAtRest = facts.pods.length + facts.ends.length === 0 ? this.changesAtRest + 1 : 0
  }
}

async function compare(plane: ControlPlane, reported: ReportedState, living: number): Promise<void> {
  const { items } = (await plane.call('GET', '/api/v1/pods')) as { items: ApiPod[] }
  const { items: nodes } = (await plane.call('GET', '/api/v1/nodes')) as { items: { metadata: { uid: string } }[] }
  const known = new Map([...reported.pods.values()].map((pod) => [pod.uid, pod]))
  const wrong = items.filter(({ metadata, spec, status }) => {
    const pod = known.get(metadata.uid)
    const nodeName = reported.nodes.get(pod?.nodeRef ?? 0)?.name
    const isRight = pod?.phase === status.phase.toLowerCase() && pod.workloadKind === 'Deployment'
    return !isRight || (spec.nodeName !== undefined && nodeName !== undefined && nodeName !== spec.nodeName)
  })
  print(
    `pods: the API server has ${items.length}, reported are ${known.size}, living ${living}, of which ${wrong.length} differ; ${reported.ended} have ended`,
  )
  print(`nodes: the API server has ${nodes.length}, reported are ${reported.nodes.size}`)
  const isExact =
    wrong.length === 0 && known.size === items.length && reported.nodes.size === nodes.length && living === items.length
  if (!isExact) process.exitCode = 1
  print(isExact ? 'the report matches the API server' : 'the report does NOT match the API server')
}

async function until(holds: () => boolean, progress: () => string, reported?: ReportedState): Promise<void> {
  for (let seconds = 0; !holds(); seconds += 1) {
    if (seconds > 1200) throw new Error(`timed out: ${progress()}`)
    if (seconds % 20 === 0) print(`${progress()}${reported ? `, ${reported.ended} have ended` : ''}`)
    await wait(1000)
  }
  print(progress())
}

async function someAtATime(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  const queue = Array.from({ length: count }, (_, index) => index).values()
  const worker = async () => {
    for (const index of queue) await work(index)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

const now = () => Math.floor(Date.now() / 1000)

const aNode = (index: number) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${index}`, annotations: { 'kwok.x-k8s.io/node': 'fake' } },
  status: {
    capacity: { cpu: '32', memory: '256Gi', pods: '110' },
    allocatable: { cpu: '32', memory: '256Gi', pods: '110' },
  },
})

const aDeployment = (index: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `work-${index}`, namespace: 'default' },
  spec: {
    replicas,
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '50%' } },
    selector: { matchLabels: { app: `work-${index}` } },
    template: {
      metadata: { labels: { app: `work-${index}` } },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
      },
    },
  },
})

const assets = findAssets()
if (assets !== undefined) await bench(assets)

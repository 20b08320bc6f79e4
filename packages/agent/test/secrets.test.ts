import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds, pathOf } from '../src/kinds/kind-list.ts'
import { awaitThat } from './await-that.ts'
import { FakeApi } from './fake-api.ts'
import { observe } from './observed.ts'

const secret = 'hunter2'
const api = new FakeApi()
let origin: string

beforeAll(async () => {
  origin = await api.start()
})
afterAll(() => api.stop())

/** Typical places of passwords, in objects of every kind that is read. */
const container = {
  name: 'app',
  image: 'registry.test/app:1',
  command: ['sh', '-c', `login ${secret}`],
  args: [`--password=${secret}`, `-Xmx512m -Dpassword=${secret}`],
  env: [
    { name: 'PASSWORD', value: secret },
    { name: 'JAVA_TOOL_OPTIONS', value: `-Dpassword=${secret} -Xmx2g` },
    { name: 'FROM', valueFrom: { secretKeyRef: { name: secret, key: secret } } },
  ],
  envFrom: [{ secretRef: { name: secret } }],
  resources: { requests: { cpu: '100m' } },
  livenessProbe: { httpGet: { path: `/?token=${secret}` }, exec: { command: [secret] } },
  lifecycle: { preStop: { exec: { command: [secret] } } },
  volumeMounts: [{ name: 'x', mountPath: `/${secret}`, subPath: secret }],
}
const podSpec = {
  nodeName: 'node-1',
  containers: [container],
  initContainers: [{ ...container, name: 'init' }],
  imagePullSecrets: [{ name: secret }],
  volumes: [
    { name: 'x', secret: { secretName: secret } },
    { name: 'y', csi: { driver: 'x', volumeAttributes: { password: secret } } },
    { name: 'z', hostPath: { path: `/${secret}` } },
  ],
  hostAliases: [{ ip: '1.1.1.1', hostnames: [secret] }],
}
const everywhere = (name: string) => ({
  metadata: {
    uid: `uid of ${name}`,
    name,
    namespace: 'shop',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: podSpec }),
      'plimsoll.dev.evil/x': secret,
      password: secret,
    },
    managedFields: [{ manager: 'helm', fieldsV1: { [`f:${secret}`]: {} } }],
    finalizers: [secret],
  },
  spec: {
    ...podSpec,
    type: 'LoadBalancer',
    template: { metadata: { annotations: { password: secret } }, spec: podSpec },
    jobTemplate: { spec: { template: { spec: podSpec } } },
    selector: { matchLabels: { app: 'web' } },
    scaleTargetRef: { kind: 'Deployment', name: 'web' },
    targetRef: { kind: 'Deployment', name: 'web' },
    metrics: [{ type: 'External', external: { metric: { name: secret } } }],
    csi: { driver: 'x', volumeAttributes: { password: secret }, nodePublishSecretRef: { name: secret } },
    limits: [{ type: 'Container' }],
  },
  parameters: { 'csi.storage.k8s.io/provisioner-secret-name': secret, type: 'gp3' },
  data: { password: secret },
  stringData: { password: secret },
  status: {
    phase: 'Running',
    message: secret,
    loadBalancer: { ingress: [{ ip: '1.2.3.4' }] },
    containerStatuses: [
      { name: 'app', state: { waiting: { message: secret } }, lastState: { terminated: { message: secret } } },
    ],
    conditions: [{ type: 'PodScheduled', status: 'True', message: secret }],
  },
})

test.each([false, true])(
  'no value of variables, arguments, annotations or messages leaves the cluster; heaps: %s',
  async (readHeaps) => {
    for (const kind of kinds) api.set(pathOf(kind, kind.versions[0]), everywhere(kind.name))
    const { observer, close } = observe(origin, () => 'token', { readHeaps })
    await observer.synced
    const living = observer.living(Math.floor(Date.now() / 1000) + 60)
    observer.takeMinute(0)
    const paths = kinds.map((kind) => pathOf(kind, kind.versions[0]))
    await awaitThat('all are watched', () => paths.every((path) => api.watchersOf(path) > 0))
    const other = readHeaps ? 'yet another' : 'other'
    for (const kind of kinds) api.set(pathOf(kind, kind.versions[0]), everywhere(`${other} ${kind.name}`))
    const isSeen = ({ name }: { name: string }) => name.startsWith(other)
    const seen = () => observer.living(Math.floor(Date.now() / 1000) + 60)
    await awaitThat('what has come is seen', () => seen().pods.some(isSeen) && seen().objects.filter(isSeen).length > 4)
    const changes = observer.takeMinute(1)
    expect(changes.objects.filter(isSeen).length).toBeGreaterThan(4)
    const sent = JSON.stringify([living, changes, observer.facts(), observer.conditions()])
    expect(living.pods).toHaveLength(readHeaps ? 2 : 1)
    expect(living.objects.length).toBeGreaterThan(8)
    expect(sent).not.toContain(secret)
    expect(sent.includes('heap_max')).toBe(readHeaps)
    expect(api.requests.filter((each) => each.includes('secrets'))).toEqual([])
    const configMaps = api.requests.filter((each) => each.includes('configmaps'))
    const status = '/api/v1/namespaces/kube-system/configmaps?fieldSelector=metadata.name=cluster-autoscaler-status'
    expect([...new Set(configMaps)].sort()).toEqual([`list ${status}`, `watch ${status}`])
    await close()
  },
)

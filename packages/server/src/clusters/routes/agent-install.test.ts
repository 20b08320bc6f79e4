import type { InstallTemplate } from '@plimsoll/contract'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { kinds } from '../../../../agent/src/index.ts'
import { agentManifest } from '../agent-install.ts'
import { findTool, runShell } from '../../../test/manifests/kube-tools.ts'
import { aCluster, aPerson, aRole } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
const project = fileURLToPath(new URL('../../../../../', import.meta.url))

type KubeObject = { kind: string; metadata: { name: string; namespace?: string }; rules?: Rule[]; spec?: unknown }
type Rule = { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }

const parse = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject)

const manifest = async () => (await send(t, { url: '/install/agent.yaml' })).body

const rightsOf = (objects: KubeObject[]) =>
  objects
    .filter(({ kind }) => kind === 'ClusterRole')
    .flatMap(({ rules = [] }) => rules)
    .flatMap(({ apiGroups, resources, verbs, resourceNames = [] }) =>
      apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource, verbs, resourceNames }))),
    )
    .map(({ group, resource, verbs, resourceNames }) =>
      [`${resource}${group === '' ? '' : `.${group}`}`, verbs.join(','), ...resourceNames].join(' '),
    )
    .sort()

/** Duplicated on purpose: a change of the permissions of the agent must change this list as well. */
const exactRights = [
  'configmaps list,watch cluster-autoscaler-status',
  'cronjobs.batch list,watch',
  'csinodes.storage.k8s.io list,watch',
  'daemonsets.apps list,watch',
  'deployments.apps list,watch',
  'endpointslices.discovery.k8s.io list,watch',
  'horizontalpodautoscalers.autoscaling list,watch',
  'jobs.batch list,watch',
  'limitranges list,watch',
  'namespaces get kube-system',
  'namespaces list,watch',
  'nodepools.karpenter.sh list,watch',
  'nodes list,watch',
  'persistentvolumes list,watch',
  'poddisruptionbudgets.policy list,watch',
  'pods list,watch',
  'pods.metrics.k8s.io list',
  'replicasets.apps list,watch',
  'resourcequotas list,watch',
  'rollouts.argoproj.io list,watch',
  'services list,watch',
  'statefulsets.apps list,watch',
  'storageclasses.storage.k8s.io list,watch',
  'verticalpodautoscalers.autoscaling.k8s.io list,watch',
]

test('the agent may list and watch exactly the objects that it needs', async () => {
  const rights = rightsOf(parse(await manifest()))
  expect(rights).toEqual(exactRights)
  const watched = kinds.map(({ name, group, only }) =>
    [`${name}${group === '' ? '' : `.${group}`}`, 'list,watch', ...(only ? [only.name] : [])].join(' '),
  )
  expect(rights.filter((right) => right.includes('list,watch'))).toEqual([...watched].sort())
})

test('it runs as an unprivileged user, writes only to its log, and has small requests', async () => {
  const deployment = parse(await manifest()).find(({ kind }) => kind === 'Deployment')
  expect(deployment?.spec).toMatchObject({
    replicas: 1,
    strategy: { type: 'Recreate' },
    template: {
      spec: {
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            readinessProbe: { httpGet: { path: '/readyz' } },
            livenessProbe: { httpGet: { path: '/healthz' } },
            resources: { requests: { cpu: '50m', memory: '128Mi' } },
          },
        ],
      },
    },
  })
})

test('the manifest of a cluster has the address of this server and no token', async () => {
  const { clusterId, agentToken } = await aCluster(t)
  const { bearer } = await aPerson(t, 'viewer')
  const response = await send(t, { url: `/api/v1/clusters/${clusterId}/agent-manifest`, headers: bearer })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toContain('application/yaml')
  expect(response.body).toBe(await manifest())
  expect(response.body).toContain('value: "http://plimsoll.test"')
  expect(response.body).not.toContain(agentToken)
  expect(parse(response.body).map(({ kind }) => kind)).not.toContain('Secret')
})

test('the image comes from the caller or the server, and invalid images are rejected', async () => {
  const imageIn = (text: string) => /image: (.*)/.exec(text)?.[1]
  const named = 'registry.example.com/plimsoll-agent:1'
  const ask = (image: string) => send(t, { url: `/install/agent.yaml?image=${encodeURIComponent(image)}` })
  expect(imageIn((await ask(named)).body)).toBe(`"${named}"`)
  expect(parse((await ask(named)).body)).toHaveLength(parse(await manifest()).length)
  expect((await ask('x"\n  evil: 1')).statusCode).toBe(400)
  expect(imageIn(await manifest())).toBe('"plimsoll-agent:0.1.0"')
})

test('readers of a cluster see its commands, with a placeholder instead of its token', async () => {
  const { clusterId, agentToken } = await aCluster(t)
  const viewer = await aPerson(t, 'viewer')
  const response = await send(t, { url: `/api/v1/clusters/${clusterId}/install`, headers: viewer.bearer })
  expect(response.statusCode).toBe(200)
  expect(response.body).not.toContain(agentToken)
  const { kubectl, helm, note, token_placeholder: placeholder } = response.json<InstallTemplate>()
  expect(placeholder).toBe('YOUR-AGENT-TOKEN')
  expect(kubectl).toContain(`printf %s '${placeholder}' | kubectl`)
  expect(helm).toContain(`printf %s '${placeholder}' | kubectl`)
  expect(note).toContain('http://plimsoll.test')

  const elsewhere = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: [(await aCluster(t)).clusterId] }))
  const hidden = await send(t, { url: `/api/v1/clusters/${clusterId}/install`, headers: elsewhere.bearer })
  expect(hidden.json()).toMatchObject({ status: 404, code: 'cluster_not_found' })
})

test.each(['http://localhost:8080', 'http://[::1]:8080', 'http://127.0.0.1:8080'])(
  'a manifest for %s begins with the warning that pods cannot reach it, and is still YAML',
  async (publicUrl) => {
    const text = (await agentManifest(publicUrl))('r.example/agent:1')
    expect(text).toMatch(/^# Pods cannot reach this server at /)
    expect(parse(text).map(({ kind }) => kind)).toContain('Deployment')
    expect(text).toContain('image: "r.example/agent:1"')
  },
)

type PolicyRule = { ports: { port: number; protocol: string; endPort?: number }[] }

const portsOf = (objects: KubeObject[]) => {
  const spec = objects.find(({ kind }) => kind === 'NetworkPolicy')?.spec as {
    ingress: PolicyRule[]
    egress: PolicyRule[]
  }
  const ports = (rules: PolicyRule[]) =>
    rules.flatMap((rule) => rule.ports.map(({ port, protocol, endPort }) => `${protocol} ${port}${endPort ? '-' : ''}`))
  return { ingress: ports(spec.ingress), egress: ports(spec.egress) }
}

const dnsPorts = ['UDP 53', 'TCP 53', 'UDP 5353', 'TCP 5353']
const apiServerPorts = ['TCP 443', 'TCP 6443', 'TCP 8443', 'TCP 16443']

test.each([
  ['https://plimsoll.example.com', 443],
  ['http://plimsoll.example.com', 80],
  ['https://plimsoll.example.com:9443', 9443],
])('the NetworkPolicy of the manifest for %s allows single ports, among them %i', async (publicUrl, port) => {
  const { ingress, egress } = portsOf(parse((await agentManifest(publicUrl))(undefined)))
  expect(ingress).toEqual(['TCP 8081'])
  expect(egress).toEqual([...dnsPorts, ...apiServerPorts, `TCP ${port}`, 'TCP 8080'])
})

test.skipIf(!findTool('helm'))(
  'the NetworkPolicy of the chart allows Prometheus and kubelets if they are read',
  async () => {
    const helm = await servedChart()
    const values =
      "--set-string url='http://plimsoll:9000/base',prometheusUrl=https://p.example.com --set kubelet.enabled=true"
    const { egress } = portsOf(parse(helm(`${values} --set existingSecret=x,networkPolicy.extraPorts={3128}`)))
    expect(egress).toEqual([...dnsPorts, ...apiServerPorts, 'TCP 9000', 'TCP 443', 'TCP 10250', 'TCP 3128'])
  },
)

test.skipIf(!findTool('helm'))('the ports of DNS, API server and kubelets in the chart can be changed', async () => {
  const helm = await servedChart()
  const ports = ['dnsPorts={1053}', 'apiServerPorts={7443}', 'kubeletPorts={10250,10260}', 'extraPorts=null']
  const values = ports.map((each) => `networkPolicy.${each}`).join(',')
  const { egress } = portsOf(parse(helm(`${least} --set kubelet.enabled=true,${values}`)))
  expect(egress).toEqual(['UDP 1053', 'TCP 1053', 'TCP 7443', 'TCP 80', 'TCP 10250', 'TCP 10260'])
})

/** Renders the served chart, as helm does. */
async function servedChart(): Promise<(values: string) => string> {
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-chart-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const { rawPayload } = await send(t, { url: '/install/plimsoll-agent.tgz' })
  writeFileSync(join(directory, 'plimsoll-agent.tgz'), rawPayload)
  writeFileSync(join(directory, 'values.yaml'), 'token: pla_x\n')
  return (values) =>
    runShell(
      `helm template plimsoll-agent plimsoll-agent.tgz --namespace plimsoll --kube-version 1.30.0 ${values}`,
      directory,
    )
}

const least = "--set-string url='http://x',existingSecret=x"

test.skipIf(!findTool('helm'))('the chart sets a custom CA, heap reading and kubelet verification', async () => {
  const helm = await servedChart()
  const envOf = (values: string) => {
    const rendered = helm(`${least} --set ${values}`)
    const variables = rendered.matchAll(/- name: (\w+)\n +value: ["']?([^"'\n]*)/g)
    return Object.fromEntries([...variables].map(([, name = '', value = '']): [string, string] => [name, value]))
  }
  expect(envOf('kubelet.enabled=true')).toMatchObject({ PLIMSOLL_KUBELET: 'on' })
  expect(envOf('kubelet.enabled=true,kubelet.verified=false')).toMatchObject({ PLIMSOLL_KUBELET: 'unverified' })
  expect(envOf('serverCaConfigMap=ours,readHeaps=true')).toMatchObject({
    NODE_EXTRA_CA_CERTS: '/etc/plimsoll-ca/ca.crt',
    PLIMSOLL_READ_HEAPS: '1',
  })
  expect(helm(`${least} --set serverCaConfigMap=ours`)).toMatch(/configMap:\n +name: "ours"/)
})

test.skipIf(!findTool('helm'))('the chart names the team that owns the agent', async () => {
  const helm = await servedChart()
  const label = /^ +plimsoll\.dev\/team: "platform"$/gm
  // On the Deployment and on its pods.
  expect(helm(`${least} --set team=platform`).match(label)).toHaveLength(2)
  expect(helm(least)).not.toContain('plimsoll.dev/team')
})

test.skipIf(!findTool('helm'))(
  'a volume that is too small for the log is rejected with the required size',
  async () => {
    const helm = await servedChart()
    const withSize = (size: string) => () =>
      helm(`${least} --set persistence.enabled=true --set-string persistence.size=${size}`)
    expect(withSize('2Gi')).toThrow('Set it to at least 2304Mi, or reduce logMebibytes')
    expect(withSize('large')).toThrow("persistence.size is 'large', not a size such as 3Gi.")
    for (const size of ['2304Mi', '2.5G', '3Gi', '1Ti']) expect(withSize(size)()).toContain(`storage: "${size}"`)
  },
)

test('the served chart is the chart of the repository, and the manifest is its rendering', async ({ skip }) => {
  if (!findTool('helm')) return skip('helm is not installed')
  const helm = await servedChart()
  const byName = (objects: KubeObject[]) => new Map(objects.map((each) => [`${each.kind} ${each.metadata.name}`, each]))
  const plain = parse(helm("--set-string url='http://plimsoll.test',existingSecret=plimsoll-agent-token"))
  expect(byName(plain)).toEqual(byName(parse(await manifest())))
  runShell('node scripts/agent-manifest.mjs --check', project)
  runShell("helm lint deploy/agent/chart --strict --set-string url='http://x',existingSecret=x", project)

  const most = parse(
    helm(
      "--values values.yaml --set-string url='http://x',prometheusUrl=http://p:9090,hashKeySecret=h --set hashNames=true,kubelet.enabled=true,persistence.enabled=true",
    ),
  )
  expect(rightsOf(most)).toEqual([...exactRights, 'nodes/metrics get', 'nodes/stats get'].sort())
  expect(most.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Secret', 'PersistentVolumeClaim']))
  expect(JSON.stringify(most)).toContain('"PLIMSOLL_HASH_KEY_FILE"')
  expect(() => helm('')).toThrow(/Set (url|token)/)
})

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandsFor, someActions } from '@plimsoll/engine/testing'
import { expect, test } from 'vitest'

const providers = ['aws', 'gcp', 'azure', 'other']

const commandsAt = (provider: string, samples = someActions) =>
  samples.flatMap(({ action, object }) => {
    const cluster = { id: 'cls_1', name: 'prod', provider, region: 'here-1', contextVariable: 'CONTEXT' }
    return commandsFor(action, { object, cluster }).flatMap(({ commands }) => commands)
  })

test.each(providers)('a shell can read the commands for %s', (provider) => {
  const script = commandsAt(provider).join('\n')
  const { status, stderr } = spawnSync('/bin/sh', ['-n'], { input: script, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('a command without its variables calls nothing', () => {
  const [line = ''] = commandsAt('aws')
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { env: { PATH: '/nowhere' }, encoding: 'utf8' })
  expect(status).not.toBe(0)
  expect(stderr).toContain('CONTEXT: is not set')
})

const setByReader = [
  ...['CONTEXT', 'CLUSTER', 'RESOURCE_GROUP', 'INSTANCE_GROUP', 'INSTANCE_TYPE', 'ZONE', 'VERSION', 'CHART'],
  ...['CHART_VERSION', 'DAEMONSET', 'NAMESPACE', 'CPU', 'MEMORY', 'OWNER'],
]

/** Runs all commands in one shell, where each tool records its call and then runs `answer`. Returns the deletions. */
function deletionsOf(commands: readonly string[], answer: string, variables: Record<string, string> = {}): string[] {
  const tools = ['kubectl', 'helm', 'aws', 'eksctl', 'gcloud', 'az']
  const script = [
    `call() { echo "$*" >&2; ${answer}; }`,
    ...tools.map((tool) => `${tool}() { call ${tool} "$@"; }`),
    ...commands,
    'echo END >&2',
  ]
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-commands-'))
  try {
    const { stderr } = spawnSync('/bin/sh', ['-c', script.join('\n')], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries(setByReader.map((name) => [name, name.toLowerCase()])),
        ...variables,
      },
      encoding: 'utf8',
    })
    // No command may close the shell of the reader.
    expect(stderr).toMatch(/END\n$/)
    return stderr.split('\n').filter((line) => / delete|terminate-instance/.test(line))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const leftOver = { SNAPSHOT: 'of-another-volume', DISK: 'another-disk' }

test.each(providers)('nothing is deleted at %s if the commands before fail', (provider) => {
  expect(deletionsOf(commandsAt(provider), 'return 1', leftOver)).toEqual([])
})

const volumes = someActions.filter(({ action }) => action.kind === 'delete_volume')

test.each(['aws', 'gcp', 'azure'])('no disk is deleted at %s if the snapshot is of another disk', (provider) => {
  const answer = `case "$*" in *'get persistentvolume '*) echo this-disk;; *status*) echo READY;; *) echo other-disk completed;; esac`
  expect(deletionsOf(commandsAt(provider, volumes), answer, leftOver)).toEqual([])
})

test.each(['aws', 'gcp', 'azure'])('no pool is deleted at %s if no node has its label', (provider) => {
  const pools = someActions.filter(({ action }) => action.kind === 'replace_machines')
  expect(deletionsOf(commandsAt(provider, pools), ':')).toEqual([])
})

test.each([
  ['aws', 'vol-1', 'vol-1 completed', 'aws ec2 delete-volume --volume-id vol-1 '],
  [
    ...([
      'gcp',
      'projects/p/zones/z/disks/d',
      'https://www.googleapis.com/compute/v1/projects/p/zones/z/disks/d',
    ] as const),
    'gcloud compute disks delete d --zone z --project p',
  ],
  [
    'azure',
    '/subscriptions/S/disks/d',
    'Succeeded true /subscriptions/s/disks/d',
    'az disk delete --ids /subscriptions/S/disks/d ',
  ],
])('a disk at %s is deleted after its snapshot', (provider, disk, state, deletion) => {
  const answer = `case "$*" in *create-snapshot*) echo snap-1;; *'get persistentvolume '*|*volumeHandle*) echo '${disk}';; *status*) echo READY;; *'snapshots describe'*|*describe-snapshots*|*'snapshot show'*) echo '${state}';; esac`
  const deletions = deletionsOf(commandsAt(provider, volumes), answer)
  expect(deletions.filter((line) => line.includes(deletion))).toHaveLength(2)
  expect(deletions.filter((line) => line.includes('delete persistentvolumeclaim data-db-0'))).toHaveLength(2)
})

const drained = someActions.filter(({ action }) => action.kind === 'remove_nodes' && action.scaler === 'none')

test.each([
  ['aws', 'aws autoscaling terminate-instance-in-auto-scaling-group --instance-id found '],
  ['gcp', 'gcloud compute instance-groups managed delete-instances group --instances=n-1 --zone found '],
  ['azure', 'az aks nodepool delete-machines --cluster-name found --resource-group found '],
])('nodes at %s are removed with the kubectl context as the only input', (provider, deletion) => {
  const answer = `case "$*" in *'instances describe'*) echo '"value": "projects/1/instanceGroupManagers/group"';; *'get node'*|*'aks list'*) echo found;; esac`
  const unset = { CLUSTER: '', RESOURCE_GROUP: '', INSTANCE_GROUP: '', ZONE: '' }
  const deletions = deletionsOf(commandsAt(provider, drained), answer, unset)
  expect(deletions.filter((line) => line.startsWith(deletion)).length).toBeGreaterThan(0)
})

const namespaces = someActions.filter(({ action }) => action.kind === 'delete_namespace')

test.each([
  ['is deleted if its volumes are kept', 'echo Retain', 1],
  ['is kept if a volume would be deleted', 'echo Retain; echo Delete', 0],
  ['is kept if the volumes cannot be read', 'return 1', 0],
])('a namespace %s', (_what, policies, count) => {
  const answer = `case "$*" in *'get persistentvolume '*) ${policies};; *) echo objects;; esac`
  expect(deletionsOf(commandsAt('aws', namespaces), answer)).toHaveLength(count)
})

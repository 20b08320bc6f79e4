import { expect, test } from 'vitest'
import { autoscalerStatusFacts, parseGroups } from './autoscaler-status.ts'

const yaml = `time: 2026-03-01 10:00:00.000000000 +0000 UTC
autoscalerStatus: Running
clusterWide:
  health:
    status: Healthy
    nodeCounts:
      registered:
        total: 5
nodeGroups:
- name: aks-default-12345678-vmss
  health:
    status: Healthy
    cloudProviderTarget: 3
    minSize: 2
    maxSize: 6
  scaleDown:
    status: NoCandidates
- health:
    maxSize: 9
    minSize: 0
  name: "aks-batch-12345678-vmss"
`

const text = `Cluster-autoscaler status at 2023-03-01 10:00:00 +0000 UTC:
Cluster-wide:
  Health:      Healthy (ready=3 unready=0 notStarted=0 registered=3)
  ScaleUp:     NoActivity (ready=3 registered=3)

NodeGroups:
  Name:        https://www.googleapis.com/compute/v1/projects/p/zones/europe-west1-b/instanceGroups/gke-shop-default-1a2b3c4d-grp
  Health:      Healthy (ready=3 unready=0 registered=3 cloudProviderTarget=3 (minSize=1, maxSize=5))
               LastProbeTime:      2023-03-01 10:00:00 +0000 UTC
  ScaleDown:   NoCandidates (candidates=0)
`

test('the YAML status of newer cluster-autoscalers lists each group with its bounds', () => {
  expect(parseGroups(yaml)).toEqual([
    { name: 'aks-default-12345678-vmss', nodes_min: 2, nodes_max: 6 },
    { name: 'aks-batch-12345678-vmss', nodes_min: 0, nodes_max: 9 },
  ])
})

test('the text status of older cluster-autoscalers lists each group with its bounds', () => {
  expect(parseGroups(text)).toMatchObject([
    { name: expect.stringMatching(/gke-shop-default-1a2b3c4d-grp$/) as string, nodes_min: 1, nodes_max: 5 },
  ])
})

test.each(['', 'Initializing', 'nodeGroups: []', 'NodeGroups:\n  Name:  half', '- name: nowhere\n  minSize: 1'])(
  'a status without groups has no groups: %j',
  (status) => expect(parseGroups(status)).toEqual([]),
)

test('only names and bounds of the ConfigMap are stored', () => {
  const facts = autoscalerStatusFacts({
    metadata: { uid: 'u', name: 'cluster-autoscaler-status', namespace: 'kube-system', annotations: { secret: 'x' } },
    data: { status: yaml },
  })
  expect(facts).toEqual({
    uid: 'u',
    name: 'cluster-autoscaler-status',
    namespace: 'kube-system',
    kind: 'cluster_autoscaler',
    spec: { groups: parseGroups(yaml) },
  })
})

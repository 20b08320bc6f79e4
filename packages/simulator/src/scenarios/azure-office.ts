import type { Scenario } from '../scenario/scenario.ts'
import { container, dns, nodeAgents } from './parts.ts'

/**
 * A small company on Azure: six nodes, usage from metrics-server. Stories: an underused large node, an oversized
 * database.
 */
export const azureOffice: Scenario = {
  seed: 360,
  name: 'office',
  clusterUid: '0e5b8c1a-77d4-4a46-a0b9-51c2d9e80360',
  provider: 'azure',
  region: 'westeurope',
  kubernetesVersion: 'v1.32.6',
  usageSource: 'metrics-server',
  pools: [
    {
      name: 'system',
      instanceType: 'Standard_D2s_v5',
      count: 2,
      zones: ['westeurope-1', 'westeurope-2'],
      capacityType: 'on-demand',
      capacity: { cpuMillicores: 2000, memoryMib: 7950 },
      allocatable: { cpuMillicores: 1900, memoryMib: 5450 },
      podsMax: 30,
    },
    {
      name: 'work',
      instanceType: 'Standard_D4s_v5',
      count: 3,
      zones: ['westeurope-1', 'westeurope-2', 'westeurope-3'],
      capacityType: 'on-demand',
      capacity: { cpuMillicores: 4000, memoryMib: 16_000 },
      allocatable: { cpuMillicores: 3860, memoryMib: 12_700 },
      podsMax: 30,
    },
    {
      name: 'memory',
      instanceType: 'Standard_E4s_v5',
      count: 1,
      zones: ['westeurope-1'],
      capacityType: 'on-demand',
      capacity: { cpuMillicores: 4000, memoryMib: 32_100 },
      allocatable: { cpuMillicores: 3860, memoryMib: 27_500 },
      podsMax: 30,
      dedicated: true,
    },
  ],
  namespaces: [
    { name: 'kube-system' },
    { name: 'erp', labels: { team: 'it' } },
    { name: 'intranet', labels: { team: 'it' } },
  ],
  workloads: [
    ...nodeAgents(),
    dns(),
    {
      namespace: 'erp',
      name: 'erp',
      kind: 'Deployment',
      replicas: 3,
      archetype: { kind: 'jvm' },
      containers: [container('erp', { cpu: 1500, mib: 4096 }, { cpu: 280, mib: 2900 }, { limit: { mib: 4096 } })],
    },
    {
      namespace: 'erp',
      name: 'mssql',
      kind: 'StatefulSet',
      archetype: { kind: 'database' },
      pools: ['memory'],
      claim: { sizeGib: 256, storageClass: 'Premium_LRS', driver: 'disk.csi.azure.com' },
      containers: [container('mssql', { cpu: 3000, mib: 24_576 }, { cpu: 350, mib: 6000 })],
    },
    {
      namespace: 'intranet',
      name: 'portal',
      kind: 'Deployment',
      replicas: 2,
      archetype: { kind: 'web', peakHourUtc: 9, swing: 0.9 },
      containers: [container('portal', { cpu: 500, mib: 768 }, { cpu: 120, mib: 420 })],
    },
    {
      namespace: 'intranet',
      name: 'survey-2023',
      kind: 'Deployment',
      replicas: 2,
      archetype: { kind: 'idle' },
      containers: [container('survey', { cpu: 500, mib: 512 }, { cpu: 0.4, mib: 110 })],
    },
    {
      namespace: 'intranet',
      name: 'backup',
      kind: 'CronJob',
      archetype: { kind: 'batch' },
      runs: { everyMinutes: 60, seconds: 240 },
      containers: [container('backup', { cpu: 250, mib: 256 }, { cpu: 220, mib: 180 })],
    },
  ],
  volumes: [
    {
      namespace: 'intranet',
      name: 'files',
      sizeGib: 512,
      storageClass: 'Premium_LRS',
      driver: 'disk.csi.azure.com',
      workload: 'portal',
    },
    { namespace: 'erp', name: 'restore-test', sizeGib: 256, storageClass: 'Premium_LRS', driver: 'disk.csi.azure.com' },
  ],
  balancers: [{ namespace: 'intranet', name: 'portal', type: 'internal', workload: 'portal' }],
  happenings: [{ kind: 'rollout', atSecond: 3600, namespace: 'intranet', workload: 'portal' }],
  scheduling: 'emptiest',
  churnPerHour: 0.01,
}

import { expect, test } from 'vitest'
import { Problem } from '../platform/http/problem.ts'
import { parseGrouping } from './parse-grouping.ts'

test.each([
  { by: undefined, side: 'workloads', dimensions: ['namespace'] },
  { by: 'none', side: 'workloads', dimensions: [] },
  { by: 'namespace,controller_kind', side: 'workloads', dimensions: ['namespace', 'controllerKind'] },
  { by: 'label:app.kubernetes.io/name', side: 'workloads', dimensions: ['label:app.kubernetes.io/name'] },
  { by: 'node,node_pool', side: 'nodes', dimensions: ['node', 'nodePool'] },
  { by: 'cluster,namespace', side: 'workloads', dimensions: ['cluster', 'namespace'] },
  { by: 'cluster,node_pool', side: 'nodes', dimensions: ['cluster', 'nodePool'] },
])('by=$by groups $side', ({ by, side, dimensions }) => {
  expect(parseGrouping(by)).toMatchObject({ side, dimensions })
})

test.each([
  { by: 'namespace,node', why: /not per pair/ },
  { by: 'cluster,namespace,node', why: /not per pair/ },
  { by: 'none,namespace', why: /'none' is not a dimension/ },
  { by: 'squad', why: /'squad' is not a dimension/ },
  { by: 'toString', why: /is not a dimension/ },
  { by: 'label:', why: /is not a dimension/ },
  { by: 'namespace,', why: /'' is not a dimension/ },
  { by: 'namespace,namespace', why: /twice/ },
  { by: 'namespace,workload,controller_kind,label:a,label:b', why: /at most 4/ },
])('by=$by is rejected with a reason', ({ by, why }) => {
  expect(() => parseGrouping(by)).toThrow(Problem)
  expect(() => parseGrouping(by)).toThrow(why)
})

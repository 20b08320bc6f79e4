import { describe, expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { anItem } from './builders.ts'
import type { PlanItem } from './plan.ts'
import { titleOf } from './titles.ts'
import type { StepKind } from '../vocabulary/recommendations.ts'

const some = (many: number, verb: string, one: string, more: Partial<PlanItem> = {}) =>
  Array.from({ length: many }, (_, index) => anItem(`${one} ${index}`, { verb, noun: [one, `${one}s`], ...more }))
const requests = (many: number, more: Partial<PlanItem> = {}) => some(many, 'Lower', 'request', more)
const titled = (kind: StepKind, items: readonly PlanItem[], nodes: readonly string[] = []) =>
  titleOf({
    kind,
    items,
    nodes: nodes.map((name) => ({ name, pool: 'p', usdPerMonth: 0n, replacedBy: null })),
  })

describe('the title of a step', () => {
  test.each<[string, StepKind, PlanItem[], string[]]>([
    ['Lower 14 requests in shop', 'free', requests(14), ['a']],
    [
      'Lower 9 requests in payments and staging',
      'free',
      [...requests(5, { namespace: 'payments' }), ...requests(4, { namespace: 'staging' })],
      ['a'],
    ],
    [
      'Unblock 2 nodes and lower 1 request in shop',
      'free',
      [...some(2, 'Unblock', 'node', { namespace: '' }), ...requests(1)],
      ['a'],
    ],
    [
      'Remove 1 idle GPU workload, 3 volumes and 2 load balancers',
      'remove',
      [
        ...some(1, 'Remove', 'idle GPU workload', { estimatedUsdPerMonth: decimal('2400') }),
        ...some(3, 'Remove', 'volume'),
        ...some(2, 'Remove', 'load balancer'),
      ],
      [],
    ],
    [
      'Remove 3 volumes and 2 load balancers, and upgrade 1 control plane',
      'remove',
      [...some(3, 'Remove', 'volume'), ...some(2, 'Remove', 'load balancer'), ...some(1, 'Upgrade', 'control plane')],
      [],
    ],
    ['Raise 3 requests and 2 CPU limits in shop', 'protect', [...some(3, 'Raise', 'request'), ...some(2, 'Raise', 'CPU limit')], []], // prettier-ignore
    ['Drain 2 nodes: their pods fit on other nodes', 'drain', some(2, 'Drain', 'node'), ['a', 'b']],
    ['Lower 120 requests', 'rest', requests(120), []],
    ['Lower 1 request', 'rest', requests(1), []],
    [
      'Lower 5 requests, label 4 workloads, set 3 limits and make 3 other changes',
      'rest',
      [
        ...requests(5),
        ...some(4, 'Label', 'workload'),
        ...some(3, 'Set', 'limit'),
        ...some(2, 'Fix', 'job'),
        ...some(1, 'Remove', 'quota'),
      ],
      [],
    ],
  ])('says what happens: %s', (title, kind, items, nodes) => {
    expect(titled(kind, items, nodes)).toBe(title)
  })

  test('is that of its only recommendation', () => {
    const [item] = some(1, 'Switch', 'node pool', { title: 'Switch node pool general from m6i.4xlarge to m6a.4xlarge' })
    expect(titled('switch', item ? [item] : [])).toBe('Switch node pool general from m6i.4xlarge to m6a.4xlarge')
  })

  test('stays when all of its changes are applied', () => {
    expect(titleOf({ kind: 'free', items: [], nodes: [] }, 'Lower 2 requests in shop')).toBe('Lower 2 requests in shop')
  })
})

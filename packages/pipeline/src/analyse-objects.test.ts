import { describe, expect, test } from 'vitest'
import { now, type Seen } from '../test/a-snapshot.ts'
import { analyseSeen as analyse, karpenter, twoNodes } from '../test/analyse-snapshot.ts'
import { NO_HISTORY } from '../test/no-history.ts'

describe('facts from objects of the cluster', () => {
  const workload = (annotations: Record<string, string>) =>
    ({ kind: 'workload', namespace: 'shop', name: 'web', spec: { workload_kind: 'Deployment', annotations } }) as const

  test('an ignored workload is withheld', () => {
    const pods = [0, 1, 2].map((index) => ({ name: `web-${index}`, node: 0, millicores: 500 }))
    const seen = { nodes: twoNodes, pods, objects: [karpenter] }
    expect(analyse(seen).of('spot_candidate')).toHaveLength(1)
    const ignored = analyse({ ...seen, objects: [karpenter, workload({ 'plimsoll.dev/ignore': 'true' })] })
    expect(ignored.of('spot_candidate')).toEqual([])
    expect(ignored.withheld).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ ruleId: 'spot_candidate', reason: 'ignored' })]),
    )
  })

  test('a released gp2 volume is recommended with its price, a mounted one with the cheaper class', () => {
    const volume = {
      ...{ from: now - 10, namespace: 'shop', storageClass: 'gp2', diskType: '', driver: 'ebs.csi.aws.com' },
      ...{ zone: 'eu-central-1a', sizeKib: 100 * 1024 * 1024 },
    }
    const { of } = analyse({
      nodes: twoNodes,
      pods: [{ name: 'web-1', node: 0 }],
      more: (writer) => {
        writer.addVolume({
          ...volume,
          ref: 700,
          uid: 'old',
          name: 'old',
          claim: '',
          phase: 'released',
          mountedPodRefs: [],
        })
        writer.addVolume({
          ...volume,
          ref: 701,
          uid: 'used',
          name: 'used',
          claim: 'd',
          phase: 'bound',
          mountedPodRefs: [100],
        })
      },
    })
    // 100 GiB of gp2 in Frankfurt cost $11.90 a month, of gp3 $9.52.
    expect(of('pv_orphaned')).toMatchObject([{ target: { name: 'old' }, bankableUsdPerMonth: 11.9 }])
    expect(of('pv_orphaned')[0]?.evidence.caveats.at(-1)).toContain('up to $5.40/month')
    const [cheaper] = of('storage_class_downgrade')
    expect(cheaper).toMatchObject({ target: { name: 'used' }, claim: 'shop/d' })
    expect(of('pv_orphaned')[0]).not.toHaveProperty('claim')
    expect(cheaper?.bankableUsdPerMonth).toBeCloseTo(2.38, 6)
  })

  test('a load balancer without endpoints is recommended once stored hours show for how long', () => {
    const seen: Seen = {
      nodes: twoNodes,
      more: (writer) =>
        writer.addBalancer({
          ...{ ref: 700, uid: 'lb', from: now - 60, name: 'front', namespace: 'shop', type: 'nlb', readyPodRefs: [] },
        }),
    }
    expect(analyse(seen).of('loadbalancer_orphaned')).toEqual([])
    const lastUses = new Map([['lb', { firstHour: new Date((now - 90_000) * 1000), lastUsedHour: null }]])
    const history = { ...NO_HISTORY, hoursKnown: 168, lastUses }
    expect(analyse(seen, { history }).of('loadbalancer_orphaned')).toHaveLength(1)
  })
})

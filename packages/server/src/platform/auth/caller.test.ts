import { permissions, type Permission } from '@plimsoll/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { covers, maySeeCluster, type Grant } from './caller.ts'

/** Few names, so that grants often meet. */
const few: Permission[] = ['clusters:read', 'users:write', 'audit:read']
const someOf = (names: string[]) => fc.option(fc.subarray(names), { nil: null })
const grants: fc.Arbitrary<Grant> = fc.record({
  permissions: fc.subarray<Permission>(few).map((list) => new Set(list)),
  clusters: someOf(['cls_a', 'cls_b']),
  namespaces: someOf(['shop', 'web']),
})

const everything: Grant = { permissions: new Set(permissions), clusters: null, namespaces: null }
const nothing: Grant = { permissions: new Set(), clusters: [], namespaces: [] }

describe('covers', () => {
  test('everybody covers themselves; an admin covers all; everybody covers nothing', () => {
    fc.assert(
      fc.property(grants, (grant) => {
        expect([covers(grant, grant), covers(everything, grant), covers(grant, nothing)]).toEqual([true, true, true])
      }),
    )
  })

  test('what a covers and covers what b covers, a covers', () => {
    fc.assert(
      fc.property(grants, grants, grants, (a, b, c) => {
        fc.pre(covers(a, b) && covers(b, c))
        expect(covers(a, c)).toBe(true)
      }),
      { maxSkipsPerRun: 1000 },
    )
  })

  test('who covers can do everything that the covered one can do, anywhere', () => {
    fc.assert(
      fc.property(grants, grants, (holder, wanted) => {
        const held = new Set(reach(holder))
        if (covers(holder, wanted)) expect(reach(wanted).every((each) => held.has(each))).toBe(true)
      }),
    )
  })

  test('one permission, cluster or namespace too many is too many', () => {
    fc.assert(
      fc.property(grants, fc.constantFrom(...few), (grant, permission) => {
        const without = { ...grant, permissions: new Set([...grant.permissions].filter((each) => each !== permission)) }
        const withIt = { ...grant, permissions: new Set([...grant.permissions, permission]) }
        expect(covers(without, withIt)).toBe(false)
      }),
    )
    const narrow: Grant = { ...everything, clusters: ['cls_a'], namespaces: ['shop'] }
    expect(covers(narrow, { ...narrow, clusters: ['cls_a', 'cls_b'] })).toBe(false)
    expect(covers(narrow, { ...narrow, namespaces: ['web'] })).toBe(false)
  })

  test('somebody who is narrowed cannot give away the whole', () => {
    expect(covers({ ...everything, clusters: ['cls_a'] }, everything)).toBe(false)
    expect(covers({ ...everything, namespaces: [] }, everything)).toBe(false)
    expect(covers({ ...everything, clusters: [] }, { ...everything, clusters: [] })).toBe(true)
  })
})

test('no clusters left means none, not all', () => {
  expect(maySeeCluster({ ...everything, clusters: [] }, 'cls_a')).toBe(false)
  expect(maySeeCluster({ ...everything, clusters: null }, 'cls_a')).toBe(true)
  expect(maySeeCluster({ ...everything, clusters: ['cls_a'] }, 'cls_a')).toBe(true)
})

/** Everything a grant allows, spelled out, on clusters and namespaces that exist and on ones yet to come. */
function reach(grant: Grant): string[] {
  const clusters = ['cls_a', 'cls_b', 'cls_new'].filter((cluster) => maySeeCluster(grant, cluster))
  const namespaces = ['shop', 'web', 'new'].filter((namespace) => grant.namespaces?.includes(namespace) ?? true)
  return [...grant.permissions].flatMap((permission) =>
    clusters.flatMap((cluster) => namespaces.map((namespace) => `${permission} ${cluster} ${namespace}`)),
  )
}

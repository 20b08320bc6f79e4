import { permissions, type Permission } from '@plimsoll/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { covers, maySeeCluster, type Grant } from './caller.ts'

/** Few names, so that grants often overlap. */
const few: Permission[] = ['clusters:read', 'users:write', 'audit:read']
const someOf = (names: string[]) => fc.option(fc.subarray(names), { nil: null })
const grants: fc.Arbitrary<Grant> = fc.record({
  permissions: fc.subarray<Permission>(few).map((list) => new Set(list)),
  clusters: someOf(['cls_a', 'cls_b']),
  namespaces: someOf(['shop', 'web']),
  teams: someOf(['blue', 'red']),
})

const everything: Grant = { permissions: new Set(permissions), clusters: null, namespaces: null, teams: null }
const nothing: Grant = { permissions: new Set(), clusters: [], namespaces: [], teams: [] }

describe('covers', () => {
  test('every grant covers itself; an admin covers all; every grant covers the empty grant', () => {
    fc.assert(
      fc.property(grants, (grant) => {
        expect([covers(grant, grant), covers(everything, grant), covers(grant, nothing)]).toEqual([true, true, true])
      }),
    )
  })

  test('covering is transitive', () => {
    fc.assert(
      fc.property(grants, grants, grants, (a, b, c) => {
        fc.pre(covers(a, b) && covers(b, c))
        expect(covers(a, c)).toBe(true)
      }),
      { maxSkipsPerRun: 1000 },
    )
  })

  test('a covering grant allows everything that the covered one allows', () => {
    fc.assert(
      fc.property(grants, grants, (holder, wanted) => {
        const held = new Set(reach(holder))
        if (covers(holder, wanted)) expect(reach(wanted).every((each) => held.has(each))).toBe(true)
      }),
    )
  })

  test('one additional permission, cluster or namespace is not covered', () => {
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

  test('a restricted grant does not cover an unrestricted one', () => {
    expect(covers({ ...everything, clusters: ['cls_a'] }, everything)).toBe(false)
    expect(covers({ ...everything, namespaces: [], teams: [] }, everything)).toBe(false)
    expect(covers({ ...everything, clusters: [] }, { ...everything, clusters: [] })).toBe(true)
  })
})

test('an empty cluster list means none, not all', () => {
  expect(maySeeCluster({ ...everything, clusters: [] }, 'cls_a')).toBe(false)
  expect(maySeeCluster({ ...everything, clusters: null }, 'cls_a')).toBe(true)
  expect(maySeeCluster({ ...everything, clusters: ['cls_a'] }, 'cls_a')).toBe(true)
})

/** Everything that a grant allows, on existing and future clusters and namespaces. */
function reach(grant: Grant): string[] {
  const clusters = ['cls_a', 'cls_b', 'cls_new'].filter((cluster) => maySeeCluster(grant, cluster))
  const namespaces = ['shop', 'web', 'new'].filter((namespace) => grant.namespaces?.includes(namespace) ?? true)
  return [...grant.permissions].flatMap((permission) =>
    clusters.flatMap((cluster) => namespaces.map((namespace) => `${permission} ${cluster} ${namespace}`)),
  )
}

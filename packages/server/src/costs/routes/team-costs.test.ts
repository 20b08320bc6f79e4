import type { Allocation, Changes, TeamRule } from '@plimsoll/contract'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aReadCluster, get, wholeWorld } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let admin: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  admin = await aPerson(t, 'admin')
})

async function mapTeams(rules: TeamRule[]): Promise<void> {
  const response = await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers: admin.bearer, body: { rules } })
  expect(response.statusCode, response.body).toBe(200)
}

const byTeam = async (person: Person, query = '') => {
  const { clusterId } = await aReadCluster(t, twoNodesWithCloudResources)
  return get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${clusterId}&${wholeWorld}&by=team${query}`)
}

const costOf = ({ steps }: Allocation, team: string) =>
  steps[0]?.rows.find(({ names }) => names.team === team)?.cost.total ?? 0

const pattern = fc.constantFrom('*', 'shop', 's*', 'data', 'd*a', 'none')
const rule: fc.Arbitrary<TeamRule> = fc
  .record({
    owner: fc.constantFrom<TeamRule>({ team: 'a' }, { team: 'b' }, { team_from_label: 'team' }),
    namespace: fc.option(pattern, { nil: undefined }),
    cluster: fc.option(fc.constantFrom('*', 'cluster-*', 'elsewhere'), { nil: undefined }),
    label: fc.option(fc.constantFrom({ key: 'team' }, { key: 'team', value: 'r*' }), { nil: undefined }),
  })
  .map(({ owner, ...match }) => JSON.parse(JSON.stringify({ ...owner, ...match })) as TeamRule)

test('law 5: teams and unowned cost add up to the total, and a new mapping keeps the sums', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 4 }), async (rules) => {
      await mapTeams(rules)
      const { total, steps } = await byTeam(admin)
      const [step] = steps
      const owned = step?.rows.reduce((sum, { cost }) => sum + cost.total, 0) ?? 0
      const others = [step?.idle, step?.unmounted, step?.unattached, step?.overhead]
      const unassigned = others.reduce((sum, cost) => sum + (cost?.total ?? 0), 0)
      expect(total).toBe((await byTeam(admin, ',namespace')).total)
      expect(owned + unassigned).toBeCloseTo(total, 4)
      const teams = step?.rows.map(({ names }) => names.team ?? '').filter((team) => team !== '__none__') ?? []
      const role = await aRole(t, ['reports:read'], { teams: teams.slice(0, 1) })
      const narrowed = await byTeam(await aPerson(t, role))
      expect(narrowed.steps[0]?.rows.map(({ names }) => names.team)).toEqual(teams.slice(0, 1))
      expect(narrowed.total).toBe(teams[0] === undefined ? 0 : costOf(narrowed, teams[0]))
    }),
    { numRuns: rounds({ short: 3, full: 40 }) },
  )
})

test('a role limited to teams sees the rows of its teams, and no cost of the whole cluster', async () => {
  await mapTeams([{ team_from_label: 'team' }])
  const person = await aPerson(t, await aRole(t, ['reports:read', 'clusters:read'], { teams: ['red'] }))
  const all = await byTeam(admin)
  const own = await byTeam(person)
  expect(costOf(all, 'red')).toBeGreaterThan(0)
  expect(own).toMatchObject({ total: costOf(all, 'red'), steps: [{ idle: null, overhead: null }] })
  const { clusterId } = await aReadCluster(t, twoNodesWithCloudResources)
  const changes = await get<Changes>(t, person, `/api/v1/changes?cluster_id=${clusterId}&${wholeWorld}`)
  expect(changes.total.now).toBe(own.total)
  for (const url of [
    `/api/v1/clusters/${clusterId}/summary`,
    '/api/v1/overview',
    '/api/v1/allocation?by=node',
    '/api/v1/allocation?share_idle=even',
    '/api/v1/team-mapping',
  ]) {
    const { bearer } = url.endsWith('team-mapping')
      ? await aPerson(t, await aRole(t, ['settings:read'], { teams: ['red'] }))
      : person
    expect((await send(t, { url, headers: bearer })).json(), url).toMatchObject({ status: 403, code: 'role_narrowed' })
  }
})

test('a rule needs exactly one source of its team', async () => {
  for (const rule of [{ namespace: 'shop' }, { team: 'a', team_from_label: 'team' }]) {
    const body = { rules: [{ team: 'a' }, rule] }
    const response = await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers: admin.bearer, body })
    expect(response.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/rules/1' }] })
  }
})

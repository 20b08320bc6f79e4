import type { Incident } from '@plimsoll/engine/incidents'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { anIncident } from '../../../test/an-incident.ts'
import { aCluster } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { aChannel } from '../../../test/channels.ts'
import { deleteClusterAlerts, evaluateRule } from '../../alerts/index.ts'
import { findIncidentState } from '../queries/incidents.ts'
import type { IncidentResult } from './find-incidents.ts'
import { storeIncidents } from './store-incidents.ts'

const t = useTestApp()

beforeEach(async () => {
  for (const table of ['alert', 'incident']) await sql`delete from ${sql.table(table)}`.execute(t.db)
  await sql`update incident_state set evaluated_to = null, steps = '{}'`.execute(t.db)
})

const aClass = JSON.stringify({
  query: { provider: 'aws', region: 'eu-central-1', instanceType: 'm5.xlarge', capacityType: 'on-demand', os: 'linux' },
  capacity: { cpu: 4_000_000, memory: 16_777_216, gpu: 0 },
})

const aStep = { day: 1, hours: 0, usdPerDay: '1' }

/** An evaluation that starts from the stored state. */
async function evaluated(hour: number, incidents: Incident[], steps: string[] = []): Promise<IncidentResult> {
  const before = await findIncidentState(t.db)
  const added = Object.fromEntries(steps.map((part) => [part, aStep]))
  return {
    basedOn: before.revision,
    state: { ...before, evaluatedTo: hour, steps: { ...before.steps, ...added } },
    log: { evaluatedTo: hour, incidents, events: [] },
  }
}

const alerts = () => t.db.selectFrom('alert').select(['entity', 'state']).orderBy('entity').execute()
const incidentIds = async () => {
  const { rows } = await sql<{ id: string }>`select incident_id as id from incident order by 1`.execute(t.db)
  return rows.map(({ id }) => id)
}

test('of two evaluations that start from the same hour, the first one counts', async () => {
  const first = await evaluated(10, [anIncident({ id: '10/installation', part: 'installation' })], ['installation'])
  const second = await evaluated(11, [anIncident({ id: '11/installation', part: 'installation' })])
  await storeIncidents(t.db, first, t.clock.now)
  t.clock.advance(60_000)
  await storeIncidents(t.db, second, t.clock.now)
  expect(await incidentIds()).toEqual(['10/installation'])
  expect(await alerts()).toEqual([{ entity: '10/installation', state: 'firing' }])
  expect(await findIncidentState(t.db)).toMatchObject({ evaluatedTo: 10, steps: { installation: aStep } })
})

test('incidents of a deleted cluster are deleted, and open no alert later', async () => {
  const { clusterId } = await aCluster(t)
  const { clusterId: other } = await aCluster(t)
  const parts = [clusterId, `${clusterId}/shop`, other]
  const incidents = parts.map((part) => anIncident({ id: `10/${part}`, part }))
  await storeIncidents(t.db, await evaluated(10, incidents, parts), t.clock.now)
  const overtaken = await evaluated(11, incidents, parts)
  await sql`delete from cluster where cluster_id = ${clusterId}`.execute(t.db)
  await deleteClusterAlerts(t.db, clusterId, t.clock.now)
  expect(await incidentIds()).toEqual([`10/${other}`])
  expect(Object.keys((await findIncidentState(t.db)).steps)).toEqual([other])

  t.clock.advance(60_000)
  await storeIncidents(t.db, overtaken, t.clock.now)
  expect(await incidentIds()).toEqual([`10/${other}`])
  expect(Object.keys((await findIncidentState(t.db)).steps)).toEqual([other])
  expect(await alerts()).toEqual([{ entity: `10/${other}`, state: 'firing' }])
})

test('the alert about new prices has the message of a price incident', async () => {
  const { clusterId } = await aCluster(t)
  await aChannel(t.deps, 'slack', { url: 'https://hooks.slack.com/services/T/B/X' })
  const content = { severity: 'info' as const, title: 'New prices', facts: [], money: null, links: [] }
  const condition = { entity: clusterId, period: 'x', isTrue: true, clusterId, namespace: null, content }
  await t.db
    .transaction()
    .execute((tx) => evaluateRule(tx, { rule: 'price_changed', conditions: [condition] }, t.clock.now))
  const incidents = [clusterId, 'team:red'].map((part) =>
    anIncident({ id: `10/${part}`, part, kind: 'price', detail: aClass }),
  )
  const result = await evaluated(10, incidents)
  const events = incidents.map(({ id }) => ({ kind: 'opened' as const, id, hour: 10 }))
  await storeIncidents(t.db, { ...result, log: { ...result.log, events } }, t.clock.now)
  const rows = await t.db.selectFrom('alert').select(['rule', 'unsent_reason']).orderBy('rule').execute()
  expect(rows).toEqual([
    { rule: 'cost_above_expected', unsent_reason: 'joined' },
    { rule: 'cost_above_expected', unsent_reason: 'joined' },
    { rule: 'price_changed', unsent_reason: 'collecting' },
  ])
})

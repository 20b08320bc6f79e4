import type { Route } from '@plimsoll/contract'
import type { buildApp, AppDeps } from '../../packages/server/src/app.ts'
import { writeAlerts } from '../../packages/server/src/alerts/queries/alerts.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { recordTeams } from '../../packages/server/src/teams/queries/teams.ts'
import { benchSession } from './bench-app.ts'

type App = Awaited<ReturnType<typeof buildApp>>

type IdsIn<Path extends string> = Path extends `${string}:${infer Id}/${infer Rest}`
  ? Id | IdsIn<Rest>
  : Path extends `${string}:${infer Id}`
    ? Id
    : never

/** The IDs in the paths of all routes except deletions. The compiler reports a new ID that has no value. */
export type PathId = IdsIn<Exclude<Route, `DELETE ${string}`>>

type StoredId = 'alert_id' | 'budget_id' | 'channel_id' | 'team' | 'view_id'

/** Objects that the routes of one object return. */
export async function storeObjects(app: App, deps: AppDeps, clusterId: string): Promise<Record<StoredId, string>> {
  const team = 'platform'
  await recordTeams(deps.db, [team], deps.now())
  return {
    team,
    alert_id: await storeAlert(deps, clusterId),
    budget_id: await created(app, deps, '/api/v1/budgets', { name: 'bench', period: 'month', amount: 1000 }),
    channel_id: await created(app, deps, '/api/v1/channels', {
      name: 'bench',
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T000/B000/XXXX',
    }),
    view_id: await created(app, deps, '/api/v1/views', { name: 'bench', path: '/allocation' }),
  }
}

async function created(app: App, deps: AppDeps, url: string, payload: object): Promise<string> {
  const response = await app.inject({ method: 'POST', url, payload, headers: await benchSession(deps) })
  if (response.statusCode !== 201) throw new Error(`POST ${url}: ${response.statusCode} ${response.body}`)
  return response.json<{ id: string }>().id
}

async function storeAlert({ db, now }: AppDeps, clusterId: string): Promise<string> {
  const alertId = newId('alr', now())
  await writeAlerts(db, [
    {
      alert_id: alertId,
      rule: 'cluster_silent',
      entity: clusterId,
      period: '',
      cluster_id: clusterId,
      namespace: null,
      team: null,
      scope: null,
      state: 'firing',
      is_urgent: false,
      content: { severity: 'warning', title: 'No data from cluster large', facts: [], money: null, links: [] },
      opened_at: now(),
      true_since: now(),
      false_since: null,
      observed_at: now(),
      fired_at: now(),
      resolved_at: null,
    },
  ])
  return alertId
}

import { count, text, usd } from '../output/cells.ts'
import { tableOf } from '../output/presentation.ts'
import { read } from './read-command.ts'

type Found = { kind: string; name: string; clusters: readonly string[] }

export const fleetCommands = [
  read('listClusters', {
    words: 'clusters',
    summary: 'List clusters',
    query: ['limit', 'cursor', 'sort'],
    present: ({ clusters }) => ({
      table: tableOf(clusters, [
        ['name', ({ name }) => text(name)],
        ['id', ({ id }) => text(id)],
        ['provider', ({ provider }) => text(provider)],
        ['region', ({ region }) => text(region)],
        ['status', ({ status }) => text(status)],
        ['nodes', ({ node_count: nodes }) => count(nodes)],
        ['pods', ({ pod_count: pods }) => count(pods)],
        ['cost per month', ({ monthly_cost: cost }) => usd(cost)],
        ['recommendations', ({ open_recommendations: open }) => count(open)],
      ]),
    }),
  }),
  read('listBudgets', {
    words: 'budgets',
    summary: 'List budgets with cost and forecast',
    present: ({ budgets }) => ({
      table: tableOf(budgets, [
        ['name', ({ name }) => text(name)],
        ['id', ({ id }) => text(id)],
        ['period', ({ period, current }) => text(current?.key ?? period)],
        ['amount', ({ amount, current }) => usd(current?.amount ?? amount)],
        ['spent', ({ current }) => usd(current?.forecast.spent)],
        ['forecast', ({ current }) => usd(current?.forecast.middle)],
        ['outlook', ({ current }) => text(current?.forecast.outlook)],
      ]),
    }),
  }),
  read('getForecast', {
    words: 'forecast',
    summary: 'Forecast the cost of the current month, quarter or year',
    query: ['clusters', 'namespaces', 'teams', 'labels', 'workloads', 'period', 'amount', 'share'],
    present: (forecast) => ({
      facts: [
        ['Period', text(`${forecast.from} to ${forecast.to}`)],
        ['Spent', usd(forecast.spent)],
        ['Forecast', usd(forecast.middle)],
        ['80 % range, from', usd(forecast.band80?.lower)],
        ['80 % range, to', usd(forecast.band80?.upper)],
        ['Outlook', text(forecast.outlook)],
      ],
    }),
  }),
  read('listAlerts', {
    words: 'alerts',
    summary: 'List alerts',
    query: ['limit', 'cursor', 'state', 'rule', 'cluster_id'],
    present: ({ alerts }) => ({
      table: tableOf(alerts, [
        ['id', ({ id }) => text(id)],
        ['severity', ({ severity }) => text(severity)],
        ['state', ({ state }) => text(state)],
        ['title', ({ title }) => text(title)],
        ['since', ({ started_at: since }) => text(since)],
      ]),
    }),
  }),
  read('listStatements', {
    words: 'statements',
    summary: 'List the statements of teams for a month',
    query: ['month', 'include'],
    present: ({ month, teams, total }) => ({
      facts: [
        ['Month', text(month)],
        ['Total', usd(total)],
      ],
      table: tableOf(teams, [
        ['team', ({ team }) => text(team)],
        ['own', ({ own }) => usd(own)],
        ['shared', ({ shared }) => usd(shared)],
        ['total', ({ total: each }) => usd(each)],
        ['before', ({ before }) => usd(before)],
      ]),
    }),
  }),
  read('searchByName', {
    words: 'search',
    summary: 'Search for clusters, teams, namespaces, workloads, nodes and recommendations by name',
    args: ['q'],
    query: ['limit'],
    present: (found) => {
      const rows: Found[] = [
        ...found.clusters.map(({ id, name }) => ({ kind: 'cluster', name, clusters: [id] })),
        ...found.teams.map(({ name }) => ({ kind: 'team', name, clusters: [] })),
        ...found.namespaces.map((each) => ({ kind: 'namespace', name: each.name, clusters: each.cluster_ids })),
        ...found.workloads.map((each) => ({
          kind: 'workload',
          name: `${each.namespace}/${each.kind}/${each.name}`,
          clusters: each.cluster_ids,
        })),
        ...found.nodes.map((each) => ({ kind: 'node', name: each.name, clusters: each.cluster_ids })),
        ...found.recommendations.map((each) => ({
          kind: 'recommendation',
          name: `${each.id} ${each.title}`,
          clusters: [each.cluster_id],
        })),
      ]
      return {
        table: tableOf(rows, [
          ['kind', ({ kind }) => text(kind)],
          ['name', ({ name }) => text(name)],
          ['clusters', ({ clusters }) => text(clusters.join(', '))],
        ]),
      }
    },
  }),
]

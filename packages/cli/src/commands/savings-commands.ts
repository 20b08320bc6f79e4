import type { OperationAnswer } from '@plimsoll/contract'
import { count, text, usd } from '../output/cells.ts'
import { tableOf, type Column, type Table } from '../output/presentation.ts'
import { read } from './read-command.ts'

type Recommendation = OperationAnswer<'listRecommendations'>['recommendations'][number]

const filters = [
  ...(['status', 'cluster_id', 'namespace', 'workload', 'rule_id', 'category', 'severity', 'risk'] as const),
  ...(['verification', 'min_savings', 'text', 'include_snoozed', 'include'] as const),
] as const

const recommendationColumns: Column<Recommendation>[] = [
  ['id', ({ id }) => text(id)],
  ['title', ({ title }) => text(title)],
  ['namespace', ({ namespace }) => text(namespace)],
  ['status', ({ status }) => text(status)],
  ['severity', ({ severity }) => text(severity)],
  ['risk', ({ risk }) => text(risk)],
  ['estimated per month', ({ estimated_savings: savings }) => usd(savings)],
  ['bankable per month', ({ bankable_savings: savings }) => usd(savings)],
]

type Step = Pick<
  OperationAnswer<'getPlan'>['steps'][number],
  'id' | 'cluster_name' | 'number' | 'title' | 'savings' | 'run_rate_after' | 'risk' | 'status' | 'nodes'
>

const stepTable = (steps: readonly Step[]): Table =>
  tableOf(steps, [
    ['step', ({ number }) => count(number)],
    ['id', ({ id }) => text(id)],
    ['cluster', ({ cluster_name: name }) => text(name)],
    ['title', ({ title }) => text(title)],
    ['savings per month', ({ savings }) => usd(savings)],
    ['run rate after', ({ run_rate_after: after }) => usd(after)],
    ['nodes removed', ({ nodes }) => count(nodes.length)],
    ['risk', ({ risk }) => text(risk)],
    ['status', ({ status }) => text(status)],
  ])

export const savingsCommands = [
  read('listRecommendations', {
    words: 'recommendations list',
    summary: 'List recommendations, highest savings first',
    query: [...filters, 'limit', 'cursor', 'sort'],
    present: ({ recommendations }) => ({ table: tableOf(recommendations, recommendationColumns) }),
  }),
  read('getRecommendation', {
    words: 'recommendations show',
    summary: 'Show a recommendation with its evidence',
    args: ['id'],
    query: ['include'],
    present: (answer) => ({
      facts: [
        ...recommendationColumns.map(([title, cell]) => [title, cell(answer)] as const),
        ['change', text(answer.change.summary)],
        ['risk reasons', text(answer.risk_reasons.join(' '))],
        ['confidence', text(answer.confidence)],
        ['caveats', text(answer.evidence?.caveats.join(' '))],
        ['plan step', text(answer.plan_step?.title)],
        ['allowed actions', text(answer.allowed_actions.join(', '))],
      ],
      table: tableOf(answer.change.fields, [
        ['field', ({ path }) => text(path)],
        ['from', ({ from }) => text(from)],
        ['to', ({ to }) => text(to)],
      ]),
    }),
  }),
  read('getRecommendationHistory', {
    words: 'recommendations history',
    summary: 'Show the history of a recommendation',
    args: ['id'],
    present: ({ history }) => ({
      table: tableOf(history, [
        ['time', ({ at }) => text(at)],
        ['action', ({ action }) => text(action)],
        ['from', ({ from_status: from }) => text(from)],
        ['to', ({ to_status: to }) => text(to)],
        ['by', ({ actor }) => text(actor.email ?? actor.kind)],
        ['reason', ({ reason }) => text(reason)],
      ]),
    }),
  }),
  read('groupRecommendations', {
    words: 'recommendations groups',
    summary: 'Group recommendations by cluster, namespace, workload, rule or verification',
    query: [...filters, 'by'],
    present: ({ groups, by }) => ({
      table: tableOf(groups, [
        [
          by,
          (group) => {
            const names = { cluster: group.cluster_id, namespace: group.namespace, workload: group.workload }
            return text({ ...names, rule: group.rule_name, verification: group.verification }[by])
          },
        ],
        ['recommendations', ({ count: number }) => count(number)],
        ['estimated per month', ({ estimated_savings: savings }) => usd(savings)],
        ['bankable per month', ({ bankable_savings: savings }) => usd(savings)],
      ]),
    }),
  }),
  read('listWithheld', {
    words: 'withheld',
    summary: 'List withheld recommendations with the reason and the remedy',
    query: ['limit', 'cursor', 'cluster_id', 'namespace', 'rule_id', 'reason', 'text'],
    present: ({ withheld }) => ({
      table: tableOf(withheld, [
        ['rule', ({ rule_id: rule }) => text(rule)],
        ['object', ({ object }) => text(objectName(object))],
        ['reason', ({ detail }) => text(detail)],
        ['remedy', ({ unlock }) => text(unlock)],
      ]),
    }),
  }),
  read('listRules', {
    words: 'rules',
    summary: 'List the rules',
    present: ({ rules }) => ({
      table: tableOf(rules, [
        ['id', ({ id }) => text(id)],
        ['category', ({ category }) => text(category)],
        ['title', ({ title }) => text(title)],
      ]),
    }),
  }),
  read('getSavings', {
    words: 'savings',
    summary: 'Show estimated, bankable and realized savings',
    query: ['include', 'cluster_id', 'namespace', 'rule_id', 'from', 'to', 'by'],
    present: ({ from, to, total, rows }) => ({
      facts: [
        ['Window', text(`${from} to ${to}`)],
        ['Estimated per month', usd(total.estimated)],
        ['Bankable per month', usd(total.bankable)],
        ['Approved per month', usd(total.approved)],
        ['Implemented per month', usd(total.implemented)],
        ['Realized', usd(total.verified)],
        ['Reverted', usd(total.reverted)],
      ],
      table: tableOf(rows, [
        ['period', ({ day, month }) => text(day ?? month)],
        ['cluster', ({ cluster_id: cluster }) => text(cluster)],
        ['namespace', ({ namespace }) => text(namespace)],
        ['rule', ({ rule_id: rule }) => text(rule)],
        ['estimated', ({ estimated }) => usd(estimated)],
        ['bankable', ({ bankable }) => usd(bankable)],
        ['implemented', ({ implemented }) => usd(implemented)],
        ['realized', ({ verified }) => usd(verified)],
      ]),
    }),
  }),
  read('getPlan', {
    words: 'plan show',
    summary: 'Show the plan of a cluster: steps that lower the bill, in order',
    present: (plan) => ({
      facts: [
        ['Cluster', text(plan.cluster_name)],
        ['Analyzed', text(plan.analysed_at)],
        ['Run rate per month', usd(plan.run_rate)],
        ['After all steps', usd(plan.run_rate_after)],
        ['Savings per month', usd(plan.savings)],
        ['Workloads that are unsafe now', count(plan.unsafe.workloads)],
      ],
      table: stepTable(plan.steps),
    }),
  }),
  read('listPlans', {
    words: 'plan list',
    summary: 'List the plan steps of all clusters, in the order to apply them',
    present: (plans) => ({
      facts: [
        ['Run rate per month', usd(plans.run_rate)],
        ['After all steps', usd(plans.run_rate_after)],
        ['Savings per month', usd(plans.savings)],
      ],
      table: stepTable(plans.steps),
    }),
  }),
]

type WithheldObject = OperationAnswer<'listWithheld'>['withheld'][number]['object']

const objectName = (object: WithheldObject): string =>
  object === null ? '' : [object.namespace, object.kind, object.name].filter((part) => part !== '').join('/')

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type Statement, type StatementList } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listTeamBudgets } from '../../budgets/index.ts'
import { detailStart, noStatement, sendJson, type CostDeps, type StatementsRequest } from '../../costs/index.ts'
import { callerIdOf } from '../../platform/auth/caller.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { sendCsv, wantsCsv } from '../../platform/http/csv.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { isMonth, monthOf, readMonth, type StatementMonth } from '../month-windows.ts'
import { statementCsv, statementsCsv } from '../statement-csv.ts'

export const statementRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  handle(app, operations.listStatements, {
    handler: async (request, reply) => {
      const { month: asked = monthOf(deps.now()), include } = request.query
      if (include !== undefined && include !== 'sheets') throw refuse('include', 'accepts only `sheets`')
      const month = readMonth(asked, deps.now())
      if (!month) throw refuse('month', `${asked} has not begun`)
      const kind = include === 'sheets' ? 'sheets' : 'list'
      const json = await answer(request, reply, month, { kind })
      if (!wantsCsv(request, reply)) return sendJson(reply, json)
      return sendCsv(reply, `statements-${month.month}.csv`, statementsCsv(parse<StatementList>(json)))
    },
  })

  handle(app, operations.getStatement, {
    handler: async (request, reply) => {
      const { month: asked, team } = request.params
      const month = isMonth(asked) ? readMonth(asked, deps.now()) : null
      if (!month) throw noStatement(team, asked)
      const json = await answer(request, reply, month, { kind: 'team', team })
      if (!wantsCsv(request, reply)) return sendJson(reply, json)
      return sendCsv(reply, `statement-${month.month}-${team}.csv`, statementCsv(parse<Statement>(json)))
    },
  })

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    month: StatementMonth,
    asked: StatementsRequest['asked'],
  ): Promise<Uint8Array> {
    const caller = requestCaller(request)
    const budgets = caller.permissions.has('budgets:read')
      ? await listTeamBudgets(deps.db, caller, month.windows.now.from)
      : null
    const question: StatementsRequest = {
      ...month,
      now: deps.now(),
      detailFrom: detailStart(deps.now()),
      budgets,
      clusterId: undefined,
      callerClusters: caller.clusters,
      namespaces: caller.namespaces,
      teams: caller.teams,
      asked,
    }
    return deps.figuring.statements(question, { callerId: callerIdOf(caller), signal: closingSignal(reply) })
  }
}

const parse = <Answer>(json: Uint8Array) => JSON.parse(new TextDecoder().decode(json)) as Answer

const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'value', detail }] })

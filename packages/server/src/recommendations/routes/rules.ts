import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type RuleList, operations } from '@plimsoll/contract'
import { FACTS, RULES } from '@plimsoll/engine/rules'
import type { Deps } from '../../platform/deps.ts'
import { handle } from '../../platform/http/handle.ts'

export const ruleRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app) => {
  handle(app, operations.listRules, {
    handler: async () => ({ rules: shownRules }),
  })
}

const shownRules: RuleList['rules'] = RULES.map((rule) => ({
  id: rule.id,
  category: rule.category,
  title: rule.title,
  short_name: rule.shortName,
  description: rule.description,
  trigger: rule.trigger,
  saving: rule.saving,
  guards: [...rule.guards],
  needs: rule.needs.map((fact) => FACTS[fact]),
}))

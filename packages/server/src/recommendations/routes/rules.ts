import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RuleList } from '@plimsoll/contract'
import { FACTS, RULES } from '@plimsoll/engine/rules'
import type { Deps } from '../../platform/deps.ts'

export const ruleRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app) => {
  app.get(
    '/rules',
    {
      schema: {
        summary: 'Every rule that makes recommendations',
        tags: ['Recommendations'],
        response: { 200: RuleList },
      },
    },
    async () => ({ rules: shownRules }),
  )
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

import { Type, type Static } from 'typebox'
import { Category } from './recommendations.ts'

export const Rule = Type.Object(
  {
    id: Type.String(),
    category: Category,
    title: Type.String(),
    short_name: Type.String({ description: 'Short title for table columns' }),
    description: Type.String(),
    trigger: Type.String({ description: 'When the rule makes a recommendation' }),
    saving: Type.String({ description: 'How the monthly savings are computed' }),
    guards: Type.Array(Type.String(), { description: 'Conditions that withhold or limit the recommendation' }),
    needs: Type.Array(Type.String(), { description: 'Required facts; without them the recommendation is withheld' }),
  },
  { title: 'Rule' },
)

export const RuleList = Type.Object({ rules: Type.Array(Rule) }, { title: 'RuleList' })

export type RuleList = Static<typeof RuleList>

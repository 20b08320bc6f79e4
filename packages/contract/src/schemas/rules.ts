import { Type, type Static } from 'typebox'
import { Category } from './recommendations.ts'

export const Rule = Type.Object(
  {
    id: Type.String(),
    category: Category,
    title: Type.String(),
    short_name: Type.String({ description: 'For table columns' }),
    description: Type.String(),
    trigger: Type.String({ description: 'When it speaks' }),
    saving: Type.String({ description: 'How the saving of a month is computed' }),
    guards: Type.Array(Type.String(), { description: 'What keeps it silent or careful' }),
    needs: Type.Array(Type.String(), { description: 'Facts without which it is withheld' }),
  },
  { title: 'Rule' },
)

export const RuleList = Type.Object({ rules: Type.Array(Rule) }, { title: 'RuleList' })

export type RuleList = Static<typeof RuleList>

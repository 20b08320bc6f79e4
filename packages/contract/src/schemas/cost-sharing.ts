import { Type, type Static } from 'typebox'
import { Closed, ItemEtag, NamespaceName } from './common.ts'

export const sharingRules = ['none', 'even', 'proportional'] as const
export type SharingRule = (typeof sharingRules)[number]

const namespaceRules = ['even', 'proportional'] as const

const sharedNamespacesMax = 100

const rule = (description: string) => Type.Unsafe<SharingRule>({ type: 'string', enum: [...sharingRules], description })

const fields = {
  idle: rule('Unallocated capacity'),
  overhead: rule('Control planes'),
  namespaces: Type.Array(NamespaceName, {
    uniqueItems: true,
    maxItems: sharedNamespacesMax,
    description: 'Namespaces that serve all teams. Their cost is shared, and is no own cost of any team',
  }),
  namespaces_by: Type.Unsafe<(typeof namespaceRules)[number]>({
    type: 'string',
    enum: [...namespaceRules],
    description: 'How the cost of shared namespaces is shared',
  }),
}

const words =
  'Costs are shared within each cluster and UTC day: `proportional` to own cost, `even` in equal parts among the teams. Unowned cost takes part like a team'

export const CostSharing = Type.Object({ ...fields, etag: ItemEtag }, { title: 'CostSharing', description: words })

export const PutCostSharingBody = Closed(fields, {
  title: 'PutCostSharingBody',
  examples: [
    { idle: 'proportional', overhead: 'proportional', namespaces: ['monitoring'], namespaces_by: 'even' },
    { idle: 'none', overhead: 'none', namespaces: [], namespaces_by: 'proportional' },
  ],
})

export type CostSharing = Static<typeof CostSharing>
export type SharingSettings = Static<typeof PutCostSharingBody>

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { teamsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { QueryState } from '../../parts/states.tsx'
import { CostSharing } from './teams/cost-sharing.tsx'
import { MappingRules } from './teams/mapping-rules.tsx'
import { TeamTable } from './teams/team-table.tsx'
import { UnownedCost } from './teams/unowned-cost.tsx'

/** Teams with their cost, unowned cost, the rules that decide the team of a workload, and those of shared cost: from one call. */
export function Teams() {
  const may = useMay()
  const queries = useQueryClient()
  const page = useQuery(teamsQuery)
  const refresh = () => queries.invalidateQueries({ queryKey: teamsQuery.queryKey })
  return (
    <QueryState query={page} what="The teams">
      {(list) => {
        const { mapping, sharing, unowned } = list
        const mayWrite = may('settings:write') && mapping !== undefined
        return (
          <>
            <TeamTable list={list} mayWrite={mayWrite} onChange={refresh} />
            {unowned && (
              <UnownedCost
                unowned={unowned}
                teams={list.teams.map(({ name }) => name)}
                mapping={mayWrite ? mapping : undefined}
                onChange={refresh}
              />
            )}
            {mapping && <MappingRules key={mapping.etag} mapping={mapping} mayWrite={mayWrite} onChange={refresh} />}
            {sharing && <CostSharing key={sharing.etag} sharing={sharing} mayWrite={mayWrite} onChange={refresh} />}
          </>
        )
      }}
    </QueryState>
  )
}

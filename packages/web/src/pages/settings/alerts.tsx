import { useQuery, useQueryClient } from '@tanstack/react-query'
import { alertsPageQuery } from '../../api/queries.ts'
import { sessionQuery, useMay } from '../../api/session.ts'
import { QueryState } from '../../parts/states.tsx'
import { AlertDeliverySettings } from './alerts/alert-delivery.tsx'
import { AlertRules } from './alerts/alert-rules.tsx'
import { Channels } from './alerts/channels.tsx'
import { OpenAlerts } from './alerts/open-alerts.tsx'

/** Open alerts, channels, when messages are sent, and rules: all from one call. */
export function Alerts() {
  const may = useMay()
  const queries = useQueryClient()
  const page = useQuery(alertsPageQuery)
  const refresh = () => queries.invalidateQueries({ queryKey: alertsPageQuery.queryKey })
  const { data: me } = useQuery(sessionQuery)
  // Rules and quiet hours concern the whole installation.
  const isLimited =
    me === undefined || me === null || [me.clusters, me.namespaces, me.teams].some((part) => part !== null)
  const mayWrite = may('alerts:write') && !isLimited
  return (
    <QueryState query={page} what="The alerts">
      {({ alerts = [], channels, delivery, alert_rules: rules }) => (
        <>
          <OpenAlerts alerts={alerts} onChange={refresh} />
          {channels && <Channels channels={channels} mayWrite={may('webhooks:write')} onChange={refresh} />}
          <AlertDeliverySettings key={delivery.etag} delivery={delivery} mayWrite={mayWrite} onChange={refresh} />
          <AlertRules rules={rules} mayWrite={mayWrite} onChange={refresh} />
        </>
      )}
    </QueryState>
  )
}

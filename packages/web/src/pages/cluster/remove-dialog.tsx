import type { Cluster, ClusterList } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { clustersQuery } from '../../api/queries.ts'
import { TextField } from '../../parts/controls.tsx'
import { DangerousActions, Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { useFailure } from '../../parts/states.tsx'
import { useToast } from '../../parts/toast.tsx'

export function RemoveDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const [failure, run] = useFailure()
  const remove = async () => {
    const isGone = await run(() => api.deleteCluster({ params: { cluster_id: cluster.id } }))
    if (!isGone) return
    queries.setQueryData(clustersQuery.queryKey, (old) => old && without(old, cluster.id))
    await navigate({ to: '/clusters', search: {} })
    toast({ text: `${cluster.name} removed.` })
    // Later requests about the cluster return 404.
    await queries.invalidateQueries({ predicate: ({ queryKey }) => !JSON.stringify(queryKey).includes(cluster.id) })
  }
  return (
    <Dialog title={`Delete ${cluster.name}`} onClose={onClose}>
      <Note tone="danger" icon="alert">
        All data of the cluster is deleted, and its tokens are revoked immediately. This cannot be undone.
      </Note>
      <div className="mt-4">
        <TextField label="Type the cluster name to confirm" value={typed} onChange={setTyped} />
      </div>
      {failure}
      <DangerousActions
        word="Delete cluster"
        isReady={typed === cluster.name}
        onDo={() => void remove()}
        onCancel={onClose}
      />
    </Dialog>
  )
}

const without = (list: ClusterList, id: string): ClusterList => ({
  ...list,
  clusters: list.clusters.filter((each) => each.id !== id),
})

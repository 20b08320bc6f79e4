import type { AgentToken } from '@plimsoll/contract'
import { ago } from '../../format/time.ts'
import { DangerousActions, Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'

type Props = { token: AgentToken; onRevoke: () => void; onClose: () => void }

export function RevokeDialog({ token: { id, last_used_at: usedAt }, onRevoke, onClose }: Props) {
  const now = useNow()
  return (
    <Dialog title={`Revoke ${id}`} onClose={onClose}>
      <Note tone="danger" icon="alert">
        {usedAt === null
          ? 'The token has not been used. Revoking cannot be undone.'
          : `The token was last used ${ago(usedAt, now)}. The agent that uses this token can then no longer send data. Revoking cannot be undone.`}
      </Note>
      <DangerousActions word="Revoke token" onDo={onRevoke} onCancel={onClose} />
    </Dialog>
  )
}

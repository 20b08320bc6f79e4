import type { AgentToken } from '@plimsoll/contract'
import { ago } from '../../format/time.ts'
import { DangerousActions, Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/marks.tsx'
import { useNow } from '../../parts/now.ts'

type Props = { token: AgentToken; onRevoke: () => void; onClose: () => void }

export function RevokeDialog({ token: { id, last_used_at: usedAt }, onRevoke, onClose }: Props) {
  const now = useNow()
  return (
    <Dialog title={`Revoke ${id}`} onClose={onClose}>
      <Note tone="danger" icon="alert">
        {usedAt === null
          ? 'Nobody has used it yet. This cannot be taken back.'
          : `It was last used ${ago(usedAt, now)}: the agent that uses it is refused from its next report on. This cannot be taken back.`}
      </Note>
      <DangerousActions word="Revoke it" onDo={onRevoke} onCancel={onClose} />
    </Dialog>
  )
}

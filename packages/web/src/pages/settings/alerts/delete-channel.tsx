import type { Channel } from '@plimsoll/contract'
import { api } from '../../../api/client.ts'
import { deletionText } from '../../../format/channel-form.ts'
import { DangerousActions, Dialog } from '../../../parts/dialog.tsx'
import { useFailure } from '../../../parts/states.tsx'

type Props = { channel: Channel; onClose: () => void; onChange: () => Promise<void> }

export function DeleteChannel({ channel, onClose, onChange }: Props) {
  const [failure, run] = useFailure()
  const remove = async () => {
    const params = { channel_id: channel.id }
    if (await run(() => api.deleteChannel({ params, ifMatch: channel.etag }))) onClose()
    await onChange()
  }
  return (
    <Dialog title={`Delete ${channel.name}`} onClose={onClose}>
      <p>{deletionText(channel)}</p>
      <p className="mt-2 text-ink-2">To stop messages and keep the log, disable the channel.</p>
      {failure}
      <DangerousActions word="Delete channel" onDo={() => void remove()} onCancel={onClose} />
    </Dialog>
  )
}

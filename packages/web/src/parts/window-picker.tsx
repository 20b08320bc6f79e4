import { useNavigate } from '@tanstack/react-router'
import { windowWords, type ShownWindow } from '../url-parameters.ts'
import { Options } from './controls.tsx'

export function WindowPicker({ value }: { value: ShownWindow }) {
  const navigate = useNavigate()
  return (
    <select
      className="input"
      aria-label="Window"
      value={value}
      onChange={(event) =>
        void navigate({
          to: '.',
          search: (old) => ({ ...old, window: event.target.value }) as { window?: ShownWindow },
        })
      }
    >
      <Options of={Object.entries(windowWords)} />
    </select>
  )
}

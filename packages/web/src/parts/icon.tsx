const paths = {
  arrow: 'M2.5 8h10.5M9.6 4.6 13 8l-3.4 3.4',
  alert: 'M8 5v3.5M8 11h.01M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4Z',
  check: 'M2.5 8.5 6.2 12 13.5 4',
  chevron: 'M4 6.2 8 10l4-3.8',
  clock: 'M8 4.5V8l2.4 1.6M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4Z',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  cross: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  download: 'M8 2v8M4.8 7.2 8 10.4l3.2-3.2M2.5 13.5h11',
  lock: 'M4 7.2h8v6H4zM5.6 7V5.2a2.4 2.4 0 0 1 4.8 0V7',
  menu: 'M2 4h12M2 8h12M2 12h12',
  next: 'M6.2 4 10 8l-3.8 4',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM10.7 10.7 14 14',
  undo: 'M3 6.5h6.5a3.5 3.5 0 1 1 0 7H7M3 6.5 5.8 3.7M3 6.5l2.8 2.8',
  warn: 'M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.6h.01',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

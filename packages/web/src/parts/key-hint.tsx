/** The keyboard shortcut; shown only where a keyboard is likely. */
export function KeyHint({ children, className = '' }: { children: string; className?: string }) {
  return <kbd className={`keycap key-hint ${className}`}>{children}</kbd>
}

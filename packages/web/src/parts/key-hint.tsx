/** The key that does the same; only shown where there is likely to be a keyboard. */
export function KeyHint({ children, className = '' }: { children: string; className?: string }) {
  return <kbd className={`keycap key-hint ${className}`}>{children}</kbd>
}

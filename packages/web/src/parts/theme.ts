import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

const key = 'plimsoll-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

export function themeChoice(): ThemeChoice {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  applyTheme()
}

/** Called before the first render, and when the system or another tab changes the theme. */
export function applyTheme(): void {
  const choice = themeChoice()
  document.documentElement.dataset.theme = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
  for (const listener of listeners) listener()
}

dark.addEventListener('change', applyTheme)
addEventListener('storage', applyTheme)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useThemeChoice = () => useSyncExternalStore(subscribe, themeChoice)

import type { Browser } from 'playwright-core'

export const hasBrowser: boolean
export function openBrowser(): Promise<Browser>

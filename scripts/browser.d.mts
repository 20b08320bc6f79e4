import type { Browser } from 'playwright-core'

export type Fonts = 'project' | 'machine'

export const hasBrowser: boolean
export function openBrowser(options?: { fonts?: Fonts }): Promise<Browser>

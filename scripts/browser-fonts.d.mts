export const fontFamilies: readonly string[]
export const hasMachineFonts: boolean

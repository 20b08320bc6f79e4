export { loadDataQuality } from './data-quality.ts'
export { idleCause, moverCause } from './mover-cause.ts'
export { parseWindow } from './parse-window.ts'

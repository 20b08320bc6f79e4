export { analyse } from './analyse.ts'

export { areStatementsDue } from './sending-due.ts'

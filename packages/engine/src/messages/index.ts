export { channelKindOf, reportKinds, type ChannelKind } from './channel-kinds.ts'
export type { RenderedMail, Rendering } from './channel-kind.ts'
export type { Message } from './message.ts'

export { channelKindOf, channelKinds, type ChannelKind } from './channel-kinds.ts'
export type { ChannelKindValue, RenderedRequest, Rendering } from './channel-kind.ts'
export type { RenderedMail } from './email.ts'
export type { Message, MessageFact, MessageLink } from './message.ts'

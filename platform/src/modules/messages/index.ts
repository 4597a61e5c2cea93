/** The messages people get about their machines, projects and applications. */
export { type AuditNews, createMailbox, type Letter, type Mailbox, type Outbound } from './mailbox.ts'
export type { MessageParams } from './message-kinds.ts'
export { messagesRoutes } from './messages-routes.ts'
export { createMessages, readApplied, readInvited } from './messages-store.ts'
export { removeOldMessages } from './old-messages.ts'

/** The messages people get about their machines, projects and applications. */

export { createKeyNotices, type KeyNotice } from './key-notices-store.ts'
export { mailOfEnd } from './letters-of-facts.ts'
export { type AuditNews, createMailbox, type Letter, type Mailbox } from './mailbox.ts'
export type { MessageParams } from './message-kinds.ts'
export { createMessagesModule, type MessagesModule } from './messages-module.ts'
export { createMessages, readApplied, readInvited, removeSomeMessages } from './messages-store.ts'

/** The messages people get about their machines, projects and applications. */

export { createKeyNotices, type KeyNotice } from './key-notices-store.ts'
export { type ApplicationUpdate, createMailbox, type Mailbox, type NewMessage } from './mailbox.ts'
export type { MessageParams } from './message-kinds.ts'
export { createMessagesModule, type MessagesModule } from './messages-module.ts'
export { messagesOfEnd } from './messages-of-facts.ts'
export {
  createMessages,
  readApplied,
  readInvited,
  readProjectInvited,
  removeSomeMessages,
} from './messages-store.ts'

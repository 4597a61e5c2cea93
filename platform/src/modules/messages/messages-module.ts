import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { createMessagesFollower } from './follow-facts.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { type MessagesDeps, messagesRoutes } from './messages-routes.ts'
import { removeOldMessages } from './old-messages.ts'

export interface MessagesModule extends Module {
  readonly mailbox: Mailbox
}

type Deps = Pick<MessagesDeps, 'listAnswerable'>

/** The message centre. */
export function createMessagesModule(kernel: Kernel, { listAnswerable }: Deps): MessagesModule {
  const { db, pools, bus, logger, now } = kernel
  const mailbox = createMailbox(db)
  const unsubscribe = bus.subscribe('messages', ({ userIds }) => {
    mailbox
      .publishUnread(userIds, new Date(now()))
      .catch((error) => logger.warn({ err: error }, 'unreadCounts.pushFailed'))
  })
  const removeOld = () => removeOldMessages(db, mailbox, now())
  return {
    name: 'messages',
    roles: ['api'],
    mailbox,
    follows: [createMessagesFollower(mailbox)],
    routes: messagesRoutes({ db, lists: pools.lists, mailbox, listAnswerable }),
    jobs: [{ name: 'messages.removeOld', everyS: 300, run: removeOld }],
    stop: unsubscribe,
  }
}

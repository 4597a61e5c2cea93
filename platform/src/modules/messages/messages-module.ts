import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { RealtimeModule } from '../../realtime/realtime-module.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { type MessagesDeps, messagesRoutes } from './messages-routes.ts'
import { removeOldMessages } from './old-messages.ts'

export interface MessagesModule extends Module {
  readonly mailbox: Mailbox
}

interface Deps extends Pick<MessagesDeps, 'listAnswerable'> {
  readonly realtime: RealtimeModule
}

/** The message centre. */
export function createMessagesModule(kernel: Kernel, { realtime, listAnswerable }: Deps): MessagesModule {
  const { db, pools, bus, logger, now } = kernel
  const mailbox = createMailbox(db, realtime.hub)
  const unsubscribe = bus.subscribe('messages', ({ userIds }) => {
    mailbox
      .tell(userIds, new Date(now()))
      .catch((error) => logger.warn({ err: error }, 'unread counts were not told'))
  })
  const removeOld = () => removeOldMessages(db, mailbox, now())
  return {
    name: 'messages',
    roles: ['api'],
    mailbox,
    routes: messagesRoutes({ db, lists: pools.lists, mailbox, listAnswerable }),
    jobs: [{ name: 'messages.removeOld', everyS: 300, run: removeOld }],
    stop: unsubscribe,
  }
}

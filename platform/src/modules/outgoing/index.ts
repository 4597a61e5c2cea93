/** SMS and e-mail, queued in the transaction that causes them and sent after its commit. */

export { type Attachment, attachmentName, fitMail, type OpenAttachment } from './attachment.ts'
export { type DeliveryReport, readDeliveryReport } from './delivery-report.ts'
export { type EmailContent, formatEmail } from './email-template.ts'
export { mailKinds } from './mail-kinds.ts'
export { type EmailMessage, type MessagePurpose, MessageRefused, type OutgoingMessage } from './message.ts'
export { createOutgoing, type MessageBrand, type Outgoing } from './outgoing.ts'
export { createOutgoingModule, type OutgoingModule } from './outgoing-module.ts'
export { listOutbox, removeOutgoingTo } from './outgoing-store.ts'
export { plainName } from './plain-name.ts'
export type { Providers } from './providers.ts'
export {
  addressDigest,
  createUnsubscribeUrl,
  type MailReader,
  openUnsubscribe,
  sealUnsubscribe,
  type UnsubscribeUrlOf,
} from './unsubscribe-link.ts'

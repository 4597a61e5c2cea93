/** Notifications of alarms: receivers, channels and times; the only module that writes notifications. */
export { type ContactLinks, createContactLinks } from './contact-links.ts'
export { mayStillNotify } from './may-still-notify.ts'
export { createNotificationsModule } from './notifications-module.ts'
export type { LinkRequest, MakeLinks, OwnLinks } from './send-out.ts'

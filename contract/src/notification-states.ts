import { z } from 'zod'

/** The channels of notifications about alarms. */
export const notificationChannels = ['push', 'voice', 'message', 'sms', 'email', 'browser'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** The state of a notification; `kept`: no service is set up that sends it, so the operators' outbox keeps it. */
export const notificationStates = [
  'waiting',
  'queued',
  'kept',
  'sent',
  'delivered',
  'failed',
  'skipped',
] as const
export type NotificationState = (typeof notificationStates)[number]

/** Why a notification was not sent, or has not been sent by itself; `maybeTwice`: a provider may have got it twice. */
export const notificationReasons = [
  'off',
  'limited',
  'noStock',
  'quietHours',
  'shelved',
  'outOfService',
  'noRight',
  'noAddress',
  'confirmed',
  'digest',
  'refused',
  'gaveUp',
  'cancelled',
  'undelivered',
  'maybeTwice',
] as const
export type NotificationReason = (typeof notificationReasons)[number]

export const notificationReason = z.union([z.literal(''), z.enum(notificationReasons)])
